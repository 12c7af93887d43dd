# Sweeps all providers: releases running machines that belong to no active run.
class Machines::SweepsController < ApplicationController
  def create
    @sweep = sweep = Provider::Sweep.perform
    complaints = sweep.complaints.join(" ").presence

    respond_to do |format|
      format.html { redirect_to machines_path, notice: notice_of(sweep.released, complaints), alert: complaints }
      format.json { render json: { released: sweep.released, complaints: sweep.complaints } }
    end
  end

  private
    def done?
      @sweep.released.any?
    end

    def audited_subject
      @sweep.released.map(&:label).to_sentence
    end

    def notice_of(released, complaints)
      if released.any?
        "Released: #{released.map(&:label).to_sentence}."
      elsif complaints.nil?
        "There were no orphaned machines."
      end
    end
end
