# Rooms of small models, whose names say enough without that of the room
Rails.autoloaders.main.collapse(*%w[ accounts measured upkeep values ].map { |room|
  Rails.root.join("testmaster/models", room).to_s
})
