# These folders group small models whose names need no namespace.
Rails.autoloaders.main.collapse(*%w[ accounts measured upkeep values ].map { |room|
  Rails.root.join("testmaster/models", room).to_s
})
