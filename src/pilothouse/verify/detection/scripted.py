"""PHP, Ruby, Elixir and Dart."""

from __future__ import annotations

import re

from pilothouse.verify.detection.endless import once
from pilothouse.verify.detection.folder import Folder, FoundCheck, Kind, table


def find_php(folder: Folder) -> list[FoundCheck]:
    if not folder.has("composer.json"):
        return []
    scripts = table(folder.json("composer.json"), "scripts")
    wanted = {
        Kind.LINT: ("lint", "cs", "cs-check", "phpcs"),
        Kind.TYPES: ("phpstan", "stan", "analyse", "analyze", "psalm"),
        Kind.TESTS: ("test", "tests", "phpunit"),
    }
    found: dict[Kind, FoundCheck] = {}
    for kind, names in wanted.items():
        name = next((name for name in names if name in scripts and not once(str(scripts[name])).endless), None)
        if name:
            source = f"{folder.shown('composer.json')}, script `{name}`"
            # Composer would end a script after 5 minutes by itself.
            command = f"COMPOSER_PROCESS_TIMEOUT=0 composer run-script {name}"
            found[kind] = folder.found(kind, "composer", command, source)
    phpunit = folder.has("phpunit.xml", "phpunit.xml.dist")
    if Kind.TESTS not in found and phpunit:
        tool = "pest" if folder.exists("tests/Pest.php") else "phpunit"
        found[Kind.TESTS] = folder.found(Kind.TESTS, tool, f"vendor/bin/{tool}", folder.shown(phpunit))
    phpstan = folder.has("phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon")
    if Kind.TYPES not in found and phpstan:
        found[Kind.TYPES] = folder.found(
            Kind.TYPES, "phpstan", "vendor/bin/phpstan analyse --no-progress", folder.shown(phpstan)
        )
    return list(found.values())


def find_ruby(folder: Folder) -> list[FoundCheck]:
    if not folder.has("Gemfile", "Rakefile", ".rspec"):
        return []
    bundle = "bundle exec " if folder.has("Gemfile") else ""
    found = []
    rubocop = folder.has(".rubocop.yml")
    if rubocop:
        found.append(folder.found(Kind.LINT, "rubocop", f"{bundle}rubocop", folder.shown(rubocop)))
    tests = _ruby_tests(folder, bundle)
    return [*found, tests] if tests else found


def _ruby_tests(folder: Folder, bundle: str) -> FoundCheck | None:
    if folder.has(".rspec") or folder.exists("spec/spec_helper.rb"):
        source = ".rspec" if folder.has(".rspec") else "spec/spec_helper.rb"
        return folder.found(Kind.TESTS, "rspec", f"{bundle}rspec", folder.shown(source))
    if folder.exists("bin/rails") and folder.exists("test"):
        return folder.found(Kind.TESTS, "rails", "bin/rails test", folder.shown("bin/rails"))
    if re.search(r"Rake::TestTask|Minitest::TestTask|task\s*:?\(?:?test\b", folder.text("Rakefile")):
        return folder.found(Kind.TESTS, "rake", f"{bundle}rake test", folder.shown("Rakefile"))
    return None


def find_elixir(folder: Folder) -> list[FoundCheck]:
    if not folder.has("mix.exs"):
        return []
    found = [folder.found(Kind.BUILD, "mix", "mix compile", folder.shown("mix.exs"))]
    if folder.has("test", "apps"):
        found.append(folder.found(Kind.TESTS, "mix", "mix test", folder.shown("mix.exs")))
    if folder.has(".credo.exs"):
        found.append(folder.found(Kind.LINT, "credo", "mix credo", folder.shown(".credo.exs")))
    return found


def find_dart(folder: Folder) -> list[FoundCheck]:
    if not folder.has("pubspec.yaml"):
        return []
    flutter = re.search(r"^\s+sdk:\s*flutter\b", folder.text("pubspec.yaml"), re.MULTILINE)
    tool = "flutter" if flutter else "dart"
    found = []
    if folder.has("analysis_options.yaml"):
        found.append(folder.found(Kind.TYPES, tool, f"{tool} analyze", folder.shown("analysis_options.yaml")))
    if folder.has("test"):
        found.append(folder.found(Kind.TESTS, tool, f"{tool} test", folder.shown("pubspec.yaml")))
    return found
