namespace :testmaster do
  desc "Make the first account, where there is none, and print its password"
  task first_account: :environment do
    if user = User.create_first!
      puts "account    #{user.email_address}, password #{user.password} (printed this once)"
    end
  end

  desc "Print a link that signs in for the next hour: URL=http://127.0.0.1:3000"
  task sign_in_link: :environment do
    user = User.order(:id).first || abort("There is no account. Run bin/rails testmaster:first_account.")
    puts "#{ENV.fetch("URL", "http://127.0.0.1:3000")}/sign_in_link?token=#{user.sign_in_token}"
  end
end
