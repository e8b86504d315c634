"""`make mutants`: how many of a random sample of small faults, put into the code by mutmut, the tests find.

mutmut makes all mutants of the modules that `[tool.mutmut]` in pyproject.toml names, records which test calls which
function, and tries a mutant in a fork with those tests alone, the quickest first. What is added here: a sample drawn
with a seed, as many mutants from every area, and the page. What a survivor means is judged by a person, in
`judged.toml`.
"""
