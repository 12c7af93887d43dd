module Provider::Ec2::Images
  # Returns the image for instances of a type: the named one, or the newest of the name patterns that fits the
  # processor.
  def image_for(type)
    architecture = architecture_of(type)
    @images ||= {}
    @images[architecture] ||= named_image(type, architecture) || newest_image(architecture)
  end

  private
    def named_image(type, architecture)
      return unless image.start_with?("ami-")

      found = ec2(:describe_images,
        image_ids: [ image ]).images.first or raise Provider::Ec2::Error.describe("InvalidAMIIDNotFound", image)
      if found.architecture != architecture
        raise Provider::Ec2::Error.new("#{image} is made for #{found.architecture}, #{type} has #{architecture}",
          advice: "Choose an image or an instance type that fit each other.")
      end
      fitting found
    end

    def newest_image(architecture)
      patterns = image.split(/[\s,]+/)
      found = ec2(:describe_images, owners: [ image_owner ],
        filters: filters("name" => patterns, "architecture" => architecture, "state" => "available",
          "root-device-type" => "ebs", "virtualization-type" => "hvm")).images.max_by(&:creation_date)
      found or raise Provider::Ec2::Error
        .new("#{region} has no image of #{image_owner} named #{patterns.join(" or ")} for #{architecture}",
          code: "InvalidAMIIDNotFound",
          advice: "Check patterns, owner and region of the provider, or name an image by its id.")
      fitting found
    end

    def fitting(image)
      needed = image.block_device_mappings
        .filter_map { |device| device.ebs&.volume_size if device.device_name == image.root_device_name }.first.to_i
      if disk_size < needed
        raise Provider::Ec2::Error.new("#{image.image_id} (#{image.name}) needs a disk of #{needed} GB, the provider " \
          "gives #{disk_size} GB", advice: "Set disk size to at least #{needed}.")
      end
      image
    end

    def architecture_of(type)
      found = ec2(:describe_instance_types,
        instance_types: [ type ]).instance_types.first or raise Provider::Ec2::Error.describe("InvalidInstanceType",
          type)
      found.processor_info.supported_architectures.without("i386").first
    end
end
