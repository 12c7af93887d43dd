# ActiveMQ's configuration is XML that Spring reads: settings become attributes, by the word before their first point.
class System::Activemq < System::Driven
  OURS = %w[ transport ]
  PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSS}Z %p %c{1} %m%n"
  PRIORITIES = "<destinationPolicy><policyMap><policyEntries>" \
    "<policyEntry queue=\">\" prioritizedMessages=\"true\"/></policyEntries></policyMap></destinationPolicy>"
  LOGGING = "log4j.rootLogger=INFO, out\nlog4j.appender.out=org.apache.log4j.ConsoleAppender\n" \
    "log4j.appender.out.layout=org.apache.log4j.PatternLayout\nlog4j.appender.out.layout.ConversionPattern=#{PATTERN}\n"
  LOGGING2 = "rootLogger.level=INFO\nrootLogger.appenderRef.out.ref=out\nappender.out.type=Console\n" \
    "appender.out.name=out\nappender.out.layout.type=PatternLayout\nappender.out.layout.pattern=#{PATTERN}\n"

  def jvm? = true

  def files_of_server(settings, heap: nil)
    { "activemq.xml" => configuration(settings), "log4j.properties" => LOGGING, "log4j2.properties" => LOGGING2,
      "jvm_options" => heap ? "-Xms#{heap} -Xmx#{heap}\n" : "\n" }
  end

  private
    # The environment contains the password, host and port.
    def configuration(settings)
      parts = settings_of_server(settings).except(*OURS).group_by { |name, _| name[/\A(kahadb|connector)(?=\.)/] }
      own, kahadb, connector = [ nil, "kahadb", "connector" ].map { |part| attributes_in(parts[part], part) }
      <<~XML
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:schemaLocation="http://www.springframework.org/schema/beans
            http://www.springframework.org/schema/beans/spring-beans-2.0.xsd
            http://activemq.apache.org/schema/core http://activemq.apache.org/schema/core/activemq-core.xsd">
          <bean class="org.springframework.beans.factory.config.PropertyPlaceholderConfigurer"/>
          <broker xmlns="http://activemq.apache.org/schema/core" brokerName="testmaster" dataDirectory="data"
            schedulerSupport="false"#{in_xml own}>
            #{PRIORITIES if settings["priorities"] == "true"}
            <managementContext><managementContext createConnector="false"/></managementContext>
            <persistenceAdapter>
              <kahaDB directory="data/kahadb"#{in_xml({ "journalDiskSyncStrategy" => "always" }.merge(kahadb))}/>
            </persistenceAdapter>
            <plugins><simpleAuthenticationPlugin><users>
              <authenticationUser username="#{USER}" password="${#{secret}}" groups="users"/>
            </users></simpleAuthenticationPlugin></plugins>
            <transportConnectors>
              <transportConnector name="openwire" uri="#{uri(settings, connector)}"/>
            </transportConnectors>
          </broker>
        </beans>
      XML
    end

    def attributes_in(settings, part)
      settings.to_a.to_h.transform_keys { |name| part ? name.delete_prefix("#{part}.") : name }
    end

    def in_xml(attributes)
      attributes.map { |name, value| " #{name}=\"#{ERB::Util.html_escape(value)}\"" }.join
    end

    def uri(settings, options)
      address = "#{settings["transport"].presence || scheme}://${SERVE_HOST}:${SERVE_PORT}"
      ERB::Util.html_escape [ address, URI.encode_www_form(options).presence ].compact.join("?")
    end
end
