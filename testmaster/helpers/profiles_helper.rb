module ProfilesHelper
  KINDS = { "all" => "Everything", "role" => "Roles", "tier" => "Threads", "jvm" => "JVMs" }

  def choices_of_profile(profile, chosen)
    grouped_options_for_select profile.choices.group_by { |choice| KINDS.fetch(choice["kind"]) }
      .transform_values { |choices| choices.map { |choice| [ choice["name"], choice["key"] ] } }, chosen["key"]
  end

  # Returns a text such as "Where the processor time goes".
  def title_of_profile(what)
    { "cpu" => "Where the processor time goes", "alloc" => "What is allocated, and where",
      "lock" => "Where threads wait for locks" }.fetch(what)
  end

  # Explains a sample and its limitations.
  def caveat_of_profile(what)
    { "cpu" => "Samples of threads that execute Java, every 10 ms. Time in the kernel, such as reading and writing " \
        "sockets, and in the JVM itself, such as its compiler and collector, is not in it.",
      "alloc" => "Bytes of new objects, from up to 150 samples a second and JVM.",
      "lock" => "Waits of 5 ms and more for monitors and locks, their lengths added up over threads." }.fetch(what)
  end

  def weight_of_profile(tables)
    case tables["unit"]
    when "bytes" then number_to_human_size(tables["weight"])
    when "ns"    then "#{number_with_precision tables["weight"] / 1e9, precision: 2} s"
    end
  end

  # Returns a pair such as [ "Worker.run", "org.example.broker" ].
  def name_in_profile(name, by)
    return [ name, nil ] if by == "package"

    package, _, short = name.rpartition(by == "class" ? "." : /\.(?=[^.]+\.[^.]+\z)/)
    [ short, package.presence ]
  end

  def points(value)
    number_with_precision(value, precision: 1)
  end

  # Returns "+9.6" with its interval, or "within noise".
  def change_of_share(row)
    return tag.span(row["verdict"], class: "change noise") unless row["verdict"].in?(%w[ more less ])

    signed = ->(value) { "#{value.negative? ? "−" : "+"}#{points value.abs}" }
    safe_join [ tag.span("#{signed.(row["difference"])} #{row["verdict"]}", class: "change"), " ",
      tag.span("#{signed.(row["low"])} to #{signed.(row["high"])}", class: "hint") ]
  end

  # Returns the uncertainty of a share of 5 % with so many samples.
  def doubt_of_five_percent(samples)
    "a share of 5 % is ±#{points 196 * Math.sqrt(0.05 * 0.95 / samples)}"
  end
end
