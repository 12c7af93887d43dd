module ApplicationHelper
  ICONS = {
    add: "M8 3v10M3 8h10",
    fewer: "M3 8h10",
    copy: "M5.5 5.5h8v8h-8zM10.5 2.5h-8v8",
    remove: "M3 4.5h10M6.5 4.5v-2h3v2m-5 0 .6 9h5.8l.6-9",
    close: "m4 4 8 8m0-8-8 8",
    download: "M8 2v8m-3.5-3.5L8 10l3.5-3.5M3 13.5h10",
    again: "M13 8a5 5 0 1 1-1.5-3.6M13 2v3h-3",
    launch: "M5 3v10l8-5z",
    stop: "M4 4h8v8H4z",
    search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14"
  }

  def icon(name)
    tag.svg tag.path(d: ICONS.fetch(name)), class: "icon", viewBox: "0 0 16 16", aria: { hidden: true }
  end

  def section_link(title, path)
    link_to title, path,
      aria: {
        current: ("page" if request.path.start_with?(path) || (path == test_runs_path && request.path == root_path))
      }
  end

  # Renders shape, word and colour of a state; bare shows only the shape and keeps the word for screen readers.
  def state_tag(state, word = state.to_s.humanize, bare: false)
    tag.span bare ? tag.span(word, class: "visually-hidden") : word, class: class_names("state", "state--bare": bare),
      data: { state: state }, title: (word if bare)
  end

  # Returns false if Redis, which knows it, is unavailable.
  def worker_absent?
    @worker_absent = Worker.running? == false if @worker_absent.nil?
    @worker_absent
  end

  def unit(text)
    tag.span text, class: "unit"
  end

  # Returns a text such as "3,896 /s" with a no-break space.
  def quantity(number, unit_name)
    safe_join [ number, unit(unit_name) ], "\u00a0"
  end

  def none
    tag.span "–", class: "none muted"
  end
end
