module NotesHelper
  # Headings are ranked below those of the page. Raw HTML is escaped.
  class Renderer < Redcarpet::Render::HTML
    def header(text, level)
      level = [ level + 2, 6 ].min
      "<h#{level}>#{text}</h#{level}>\n"
    end
  end

  TAGS = %w[ p br h3 h4 h5 h6 ul ol li strong em del code pre blockquote a table thead tbody tr th td hr ]
  WORDS = Redcarpet::Markdown.new(
    Renderer.new(escape_html: true, no_images: true, no_styles: true, safe_links_only: true, hard_wrap: true),
    autolink: true, fenced_code_blocks: true, no_intra_emphasis: true, strikethrough: true, tables: true)

  # Renders Markdown and sanitizes the result as a second protection.
  def markdown(text)
    sanitize WORDS.render(text), tags: TAGS, attributes: %w[ href ]
  end
end
