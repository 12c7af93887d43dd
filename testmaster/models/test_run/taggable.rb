module TestRun::Taggable
  def tag_list
    tags.join(", ")
  end

  def tag_list=(text)
    self.tags = text.to_s.split(",").map(&:squish).compact_blank.uniq
  end
end
