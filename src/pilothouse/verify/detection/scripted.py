"""PHP, Ruby, Elixir and Dart."""

from __future__ import annotations

import re

from pilothouse.verify.detection.endless import once
from pilothouse.verify.detection.folder import Found, Kind, Place, table


def find_php(place: Place) -> list[Found]:
    if not place.has("composer.json"):
        return []
    scripts = table(place.json("composer.json"), "scripts")
    wanted = {
        Kind.LINT: ("lint", "cs", "cs-check", "phpcs"),
        Kind.TYPES: ("phpstan", "stan", "analyse", "analyze", "psalm"),
        Kind.TESTS: ("test", "tests", "phpunit"),
    }
    found: dict[Kind, Found] = {}
    for kind, names in wanted.items():
        name = next((name for name in names if name in scripts and not once(str(scripts[name])).endless), None)
        if name:
            source = f"{place.shown('composer.json')}, script `{name}`"
            # Composer would end a script after 5 minutes by itself.
            command = f"COMPOSER_PROCESS_TIMEOUT=0 composer run-script {name}"
            found[kind] = place.found(kind, "composer", command, source)
    phpunit = place.has("phpunit.xml", "phpunit.xml.dist")
    if Kind.TESTS not in found and phpunit:
        tool = "pest" if place.exists("tests/Pest.php") else "phpunit"
        found[Kind.TESTS] = place.found(Kind.TESTS, tool, f"vendor/bin/{tool}", place.shown(phpunit))
    phpstan = place.has("phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon")
    if Kind.TYPES not in found and phpstan:
        found[Kind.TYPES] = place.found(
            Kind.TYPES, "phpstan", "vendor/bin/phpstan analyse --no-progress", place.shown(phpstan)
        )
    return list(found.values())


def find_ruby(place: Place) -> list[Found]:
    if not place.has("Gemfile", "Rakefile", ".rspec"):
        return []
    bundle = "bundle exec " if place.has("Gemfile") else ""
    found = []
    rubocop = place.has(".rubocop.yml")
    if rubocop:
        found.append(place.found(Kind.LINT, "rubocop", f"{bundle}rubocop", place.shown(rubocop)))
    tests = _ruby_tests(place, bundle)
    return [*found, tests] if tests else found


def _ruby_tests(place: Place, bundle: str) -> Found | None:
    if place.has(".rspec") or place.exists("spec/spec_helper.rb"):
        source = ".rspec" if place.has(".rspec") else "spec/spec_helper.rb"
        return place.found(Kind.TESTS, "rspec", f"{bundle}rspec", place.shown(source))
    if place.exists("bin/rails") and place.exists("test"):
        return place.found(Kind.TESTS, "rails", "bin/rails test", place.shown("bin/rails"))
    if re.search(r"Rake::TestTask|Minitest::TestTask|task\s*:?\(?:?test\b", place.text("Rakefile")):
        return place.found(Kind.TESTS, "rake", f"{bundle}rake test", place.shown("Rakefile"))
    return None


def find_elixir(place: Place) -> list[Found]:
    if not place.has("mix.exs"):
        return []
    found = [place.found(Kind.BUILD, "mix", "mix compile", place.shown("mix.exs"))]
    if place.has("test", "apps"):
        found.append(place.found(Kind.TESTS, "mix", "mix test", place.shown("mix.exs")))
    if place.has(".credo.exs"):
        found.append(place.found(Kind.LINT, "credo", "mix credo", place.shown(".credo.exs")))
    return found


def find_dart(place: Place) -> list[Found]:
    if not place.has("pubspec.yaml"):
        return []
    flutter = re.search(r"^\s+sdk:\s*flutter\b", place.text("pubspec.yaml"), re.MULTILINE)
    tool = "flutter" if flutter else "dart"
    found = []
    if place.has("analysis_options.yaml"):
        found.append(place.found(Kind.TYPES, tool, f"{tool} analyze", place.shown("analysis_options.yaml")))
    if place.has("test"):
        found.append(place.found(Kind.TESTS, tool, f"{tool} test", place.shown("pubspec.yaml")))
    return found
