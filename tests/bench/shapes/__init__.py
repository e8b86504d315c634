"""Makes the network that tells the shapes of drinks (`vision/shapes`), from rendered tables with drinks strewn about.

    pictures   makes the tables, run by the maker's own Python: it knows nothing of the project
    crops      cuts the planes around drinks, empty slots and bare places from them
    train      learns from these and writes the network, run by a Python that has torch
"""
