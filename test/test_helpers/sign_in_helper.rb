module SignInHelper
  def sign_in_as(user)
    get sign_in_link_path(token: user.reload.sign_in_token)
  end

  def sign_out
    delete session_path
  end
end
