require "json"
require "net/http"
require "uri"

module Testmaster
  # A client of the JSON API of the Testmaster that TESTMASTER_URL and TESTMASTER_TOKEN name, or of the one that runs
  # from this checkout.
  class Api
    # The server refused the request, or the request failed.
    class Error < StandardError; end

    # The server did not respond, or is temporarily unavailable; a later attempt may succeed.
    class Unreachable < Error; end

    class << self
      def from(environment, secrets:)
        if environment["TESTMASTER_URL"]
          token = environment["TESTMASTER_TOKEN"] or raise Error,
            "TESTMASTER_URL is set, but TESTMASTER_TOKEN is not: make a token under Settings"
          new { [ environment["TESTMASTER_URL"], token ] }
        else
          new(local: true) { local_access(environment, secrets).fetch_values("url", "token") }
        end
      end

      private
        # Each server writes its address and token at its start; the latest file counts.
        def local_access(environment, secrets)
          files = Dir[File.join(secrets, "local_access.#{environment["RAILS_ENV"] || "*"}.json")]
          file = files.max_by { |name| File.mtime(name) } or raise Error,
            "no Testmaster runs from this checkout: start one with bin/dev, or set TESTMASTER_URL and TESTMASTER_TOKEN"
          JSON.parse(File.read(file))
        rescue Errno::EACCES
          raise Error, "#{file} belongs to somebody else: set TESTMASTER_URL and TESTMASTER_TOKEN"
        end
    end

    # The block returns address and token. A local server has new ones after each start.
    def initialize(local: false, &access)
      @local, @access = local, access
      find
    end

    # Returns the address of a page for a browser.
    def address(path)
      "#{@url}#{path}"
    end

    def get(path)
      parse ask(Net::HTTP::Get, path)
    end

    def post(path, body = {})
      parse ask(Net::HTTP::Post, path, body)
    end

    def delete(path)
      parse ask(Net::HTTP::Delete, path)
    end

    # Streams the response to a file.
    def download(path, file)
      ask Net::HTTP::Get, path, accept: "*/*" do |response|
        write response, file
      end
      file
    end

    private
      def find
        url, @token = @access.call
        @url, @connection = URI(url.chomp("/")), nil
      rescue URI::InvalidURIError
        raise Error, "TESTMASTER_URL is not an address: #{url}"
      end

      # The server may be writing the file now; then the next attempt finds it.
      def find_again
        find if @local
      rescue Error, SystemCallError, JSON::ParserError
        nil
      end

      def ask(kind, path, body = nil, accept: "application/json")
        request = kind.new(@url.path + path, "Authorization" => "Bearer #{@token}", "Accept" => accept,
          "Content-Type" => "application/json")
        request.body = body.to_json if body

        connection.request(request) do |response|
          complain response unless response.is_a?(Net::HTTPSuccess)
          yield response if block_given?
        end
      rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError => error
        find_again
        raise Unreachable, "#{@url} does not respond (#{error.message}): is it running? bin/dev starts it"
      end

      def write(response, file)
        io = File.open(file, "wb")
        response.read_body { |piece| io.write piece }
      rescue Errno::ENOENT, Errno::EACCES, Errno::EISDIR, Errno::ENOTDIR, Errno::EROFS, Errno::ENOSPC => error
        raise Error, "#{file} cannot be written: #{error.message.sub(/ @ .*/, "")}"
      ensure
        io&.close
      end

      def connection
        @connection ||= Net::HTTP.start(@url.host, @url.port, use_ssl: @url.scheme == "https", open_timeout: 10,
          read_timeout: 120)
      end

      def parse(response)
        response.body.to_s.empty? ? nil : JSON.parse(response.body)
      end

      def complain(response)
        if response.is_a?(Net::HTTPServerError)
          raise Unreachable, "#{@url} responded with #{response.code} #{response.message}"
        end

        if @local && response.is_a?(Net::HTTPUnauthorized)
          find_again
          raise Unreachable, "#{@url} does not know the token of this machine: is it starting?"
        end

        answer = JSON.parse(response.read_body.to_s)
        raise Error, [ answer["error"], *answer["errors"] ].compact.join("\n")
      rescue JSON::ParserError
        raise Error, "#{@url} responded with #{response.code} #{response.message}"
      end
  end
end
