module ApplicationCable
  class Connection < ActionCable::Connection::Base
    identified_by :current_user

    def connect
      self.current_user = Session.alive.find_by(id: cookies.signed[:session_id])&.user || reject_unauthorized_connection
    end
  end
end
