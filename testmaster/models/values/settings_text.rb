# Settings without a field, as text: one key=value a line.
module SettingsText
  def self.parse(text)
    text.to_s.lines.map(&:strip).reject { |line| line.empty? || line.start_with?("#") }.to_h do |line|
      line.partition("=").values_at(0, 2).map(&:strip)
    end
  end

  def self.format(settings)
    settings.map { |name, value| value.empty? ? name : "#{name}=#{value}" }.join("\n")
  end
end
