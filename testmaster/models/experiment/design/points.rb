# Uses the points that a definition lists.
class Experiment::Design::Points < Experiment::Design
  self.label, self.analysis = "list of points", "none"

  def points
    @listed
  end

  def size
    @listed.size
  end

  private
    def complaints_about_points
      return [ "points must be a list such as [ { workers: 4, clients: 15 } ]" ] if @listed.empty?

      names = @factors.map(&:name)
      wrong = @listed.each_with_index.filter_map do |point, n|
        "points: the #{(n + 1).ordinalize} must have one level of each factor: #{names.join(", ")}" if
          point.keys.sort != names.sort
      end
      wrong += [ "points: one is listed twice" ] if @listed.uniq.size < @listed.size
      wrong.first(3)
    end
end
