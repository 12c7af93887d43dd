namespace :testmaster do
  desc "Make the first account, where there is none, and print its password"
  task first_account: :environment do
    if user = User.create_first!
      puts "account    #{user.email_address}, password #{user.password} (printed this once)"
    end
  end

  desc "Make a further account and print its password: EMAIL=ada@example.org ROLE=viewer|experimenter|administrator"
  task account: :environment do
    user = User.new(email_address: ENV["EMAIL"], password: SecureRandom.base58(20),
      role: ENV.fetch("ROLE", "experimenter"))
    user.save or abort("#{user.errors.full_messages.to_sentence}. Say EMAIL=ada@example.org.")
    puts "account    #{user.email_address}, password #{user.password} (printed this once)"
  end

  desc "Turn the second factor of an account off: EMAIL=ada@example.org"
  task forget_second_factor: :environment do
    user = User.active.find_by(email_address: ENV["EMAIL"].to_s) || abort("There is no such account. Say EMAIL=…")
    user.turn_off_second_factor
    puts "account    #{user.email_address} signs in with its password alone"
  end

  desc "Print a link that signs in for the next hour: URL=http://127.0.0.1:3000"
  task sign_in_link: :environment do
    user = User.administrators.order(:id).first || abort("There is no account. Run bin/rails testmaster:first_account.")
    puts "#{ENV.fetch("URL", "http://127.0.0.1:3000")}/sign_in_link?token=#{user.sign_in_token}"
  end
end
