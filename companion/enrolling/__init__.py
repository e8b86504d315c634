"""Enrolment with a camera: which pictures to take, what is missing in each, where they are kept, what comes of them.

Terminal (`companion.cli.enrol`) and phone (`companion.main.enrol_watch`) ask and answer in their own ways; what is laid
where, and what counts as lying there, is decided here alone. Cameras, pipes and pages stay outside.

    taking          one picture after the other: may it be taken, what does not lie where it was asked for
    kept_pictures   the pictures taken and the plan, kept so that people may go on another day
    laid_things     a planned picture in numbers and plain values, as pages and terminals show it
    learning        the piece set of kept pictures, with the pieces that are most alike
"""
