# Draws the layout of a definition: clients, brokers and their database, and the machines on which they run.
module LayoutsHelper
  WIDE, HIGH, GAP = 84, 38, 8 # of a box
  LEFT = [ 8, 108, 208 ] # of the columns
  HEAD = 22 # room for the name of the machine

  Box = Struct.new(:words, :unit, :many, :store, keyword_init: true)

  def layout_picture(definition, one_machine: definition.provider.nil? || definition.provider.one_machine?)
    columns = columns_of_layout(definition)
    height = HEAD + columns.map(&:size).max.clamp(1..) * (HIGH + GAP) + GAP
    tag.svg class: "layout", viewBox: "0 0 300 #{height}", role: "img", aria: { label: words_of_layout(columns) } do
      safe_join [ (one_machine ? frame_of_layout(LEFT.first - 4, 292, height, "This machine") :
        frames_of_layout(definition, columns, height)), lines_of_layout(columns, height),
        *columns.each_with_index.flat_map { |boxes, column|
          boxes.each_with_index.map { |box, row| box_of_layout box, LEFT[column], top_of(row, boxes, height) }
        } ].compact
    end
  end

  private
    def columns_of_layout(definition)
      [ definition.client_groups.map { |group|
          Box.new(words: pluralize(group.total, "client"), unit: "in #{pluralize group.jvms_in_all, "JVM"}",
            many: group.jvms_in_all > 1)
        }, definition.broker_groups.map { |group| box_of_brokers group },
        definition.in_database? ? [ box_of_database(definition) ] : [] ]
    end

    def box_of_brokers(group)
      if group.system.nil? || group.system.default?
        Box.new(words: pluralize(group.total, "broker"), unit: "MLMQ", many: group.total > 1)
      else
        Box.new(words: group.system.label, unit: group.address? ? "at its address" : "one server")
      end
    end

    def box_of_database(definition)
      place = { "embedded" => "embedded", "machine" => "own machine", "url" => "at its address" }
      Box.new(words: "PostgreSQL", unit: place.fetch(definition.database_kind), store: true)
    end

    def words_of_layout(columns)
      names = columns.map { |boxes| boxes.map { |box| "#{box.words} #{box.unit}" }.to_sentence }.compact_blank
      names.any? ? "Layout: #{names.join(", then ")}" : "Layout: nothing yet"
    end

    # Each column has machines of its own.
    def frames_of_layout(definition, columns, height)
      counts = [ definition.client_groups, definition.broker_groups ].map { |groups|
        groups.sum { |group| group.machine_count.to_i }
      }
      safe_join counts.each_with_index.map { |count, column|
        frame_of_layout LEFT[column] - 4, WIDE + 8, height, pluralize(count, "machine") if columns[column].any?
      }.push((frame_of_layout(LEFT.last - 4, WIDE + 8, height, "1 machine") if
        definition.database_kind == "machine" && columns.last.any?)).compact
    end

    def frame_of_layout(left, width, height, words)
      tag.rect(class: "frame", x: left, y: 1, width: width, height: height - 2, rx: 6) +
        tag.text(words, x: left + 6, y: 15, class: "place")
    end

    def lines_of_layout(columns, height)
      pairs = columns.each_cons(2).with_index.flat_map do |(from, to), column|
        from.each_index.to_a.product(to.each_index.to_a).map do |a, b|
          tag.line x1: LEFT[column] + WIDE, y1: top_of(a, from, height) + HIGH / 2, x2: LEFT[column + 1],
            y2: top_of(b, to, height) + HIGH / 2
        end
      end
      safe_join pairs
    end

    # Short columns stand in the middle.
    def top_of(row, boxes, height)
      free = height - HEAD - GAP - boxes.size * (HIGH + GAP)
      HEAD + free / 2 + row * (HIGH + GAP)
    end

    def box_of_layout(box, left, top)
      behind = tag.rect(x: left + 3, y: top - 3, width: WIDE, height: HIGH, rx: 4) if box.many
      tag.g safe_join([ behind, tag.rect(x: left, y: top, width: WIDE, height: HIGH, rx: box.store ? 12 : 4),
        tag.text(box.words, x: left + WIDE / 2, y: top + 16), tag.text(box.unit, x: left + WIDE / 2, y: top + 30,
          class: "place") ].compact), class: "box"
    end
end
