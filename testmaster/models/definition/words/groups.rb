# Groups of brokers or of clients, each with words of its own.
class Definition::Words::Groups < Definition::Word
  # kind is the class of such a group.
  def initialize(name, kind:, **options)
    @kind = kind
    super(name, attribute: "#{name.singularize}_groups", **options)
  end

  def kind = @kind.constantize

  def parameters
    [ { "#{attribute}_attributes": [ :_destroy, *kind.words.flat_map(&:parameters) ] } ]
  end

  def told(groups)
    groups.map(&:to_h)
  end

  def kept(groups)
    groups.map(&:kept)
  end
end
