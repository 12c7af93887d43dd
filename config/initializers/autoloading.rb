# Rooms of small models, whose names say enough without that of the room
%w[ accounts measured upkeep values ].each { |room| Rails.autoloaders.main.collapse "#{Rails.root}/testmaster/models/#{room}" }
