# A report with pictures, each for light and for dark pages.
module Report::Illustrated
  extend ActiveSupport::Concern
  include Report

  LARGEST = 20.megabytes # of a picture

  included { has_many_attached :pictures } # SVG

  # name is such as "throughput"; theme is "light" or "dark".
  def picture(name, theme)
    pictures.find { |picture| picture.filename.to_s == "#{name}.#{theme}.svg" }
  end

  def picture_names
    pictures.map { |picture| picture.filename.to_s[/\A[^.]+/] }.uniq
  end

  private
    # folder contains the scripts of gnuplot that the log analyzer has written.
    def draw_pictures(folder)
      scripts = in_order(folder.glob("*.gp"))
      scripts.each_with_index do |script, n|
        show_step "Drawing picture #{n + 1} of #{scripts.size}"
        %w[ dark light ].each do |theme|
          draw script, theme
          script.sub_ext(".svg").rename script.sub_ext(".#{theme}.svg")
        end
      end
    end

    # Saves the results together with the pictures in the folder.
    def keep_with_pictures(folder, **found)
      make_sure_of_lock
      opened = in_order(folder.glob("*.svg").reject { |path| path.size > LARGEST }).map do |path|
        { io: path.open("rb"), filename: path.basename.to_s, content_type: "image/svg+xml", identify: false }
      end
      update! pictures: opened, **found
    ensure
      opened&.each { |file| file[:io].close }
    end

    def in_order(paths)
      paths.sort
    end
end
