xml.instruct!
limits = @comparison.results.fetch("limits", [])
xml.testsuite name: "testmaster compare", tests: limits.size, failures: @comparison.broken_limits.size,
  skipped: limits.count { |limit| limit["untold"] } do
  names = @comparison.sides.to_h do |side|
    [ side.letter, "#{side.letter} #{side.numbers} #{side.name}".gsub(/\p{Cntrl}/, "?") ]
  end
  limits.each do |limit|
    xml.testcase classname: names.fetch(limit["side"], limit["side"]), name: limit["limit"] do
      xml.failure message: limit["broken"] if limit["broken"]
      xml.skipped message: limit["untold"] if limit["untold"]
    end
  end
end
