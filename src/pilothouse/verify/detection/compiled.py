"""Cargo, Go, Gradle, Maven, sbt, .NET, CMake and Swift."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from pilothouse.verify.detection.place import SLOW_SECONDS, Found, Kind, Place, table
from pilothouse.words import say


def find_cargo(place: Place) -> list[Found]:
    if not place.has("Cargo.toml"):
        return []
    manifest = place.toml("Cargo.toml")
    # With a package of its own, the root alone would be meant.
    everywhere = " --workspace" if "workspace" in manifest and "package" in manifest else ""
    source = place.shown("Cargo.toml")
    found = [
        place.found(Kind.BUILD, "cargo", f"cargo build{everywhere}", source, SLOW_SECONDS),
        place.found(Kind.TESTS, "cargo", f"cargo test{everywhere}", source, SLOW_SECONDS),
    ]
    clippy = _clippy(place)
    if clippy:
        command = f"cargo clippy{everywhere} --all-targets"
        found.append(place.found(Kind.LINT, "cargo", command, place.shown(clippy), SLOW_SECONDS))
    return found


def _clippy(place: Place) -> str | None:
    """Where the project says that it uses clippy."""
    for folder in place.above():
        configured = folder.has("clippy.toml", ".clippy.toml")
        if configured:
            return configured
        manifest = folder.toml("Cargo.toml")
        if table(manifest, "lints", "clippy") or table(manifest, "workspace", "lints", "clippy"):
            return "Cargo.toml"
        components = table(folder.toml("rust-toolchain.toml"), "toolchain").get("components")
        if isinstance(components, list) and "clippy" in components:
            return "rust-toolchain.toml"
    sources = ("src/lib.rs", "src/main.rs")
    return next((name for name in sources if re.search(r"#!\[\w+\([^]]*clippy::", place.text(name))), None)


def find_go(place: Place) -> list[Found]:
    file = place.has("go.mod", "go.work")
    if not file:
        return []
    where = "./..." if file == "go.mod" else _workspace_modules(place)
    source = place.shown(file)
    found = [
        place.found(Kind.TYPES, "go vet", f"go vet {where}", source),
        place.found(Kind.BUILD, "go build", f"go build {where}", source, SLOW_SECONDS),
        place.found(Kind.TESTS, "go test", f"go test {where}", source, SLOW_SECONDS),
    ]
    golangci = place.has(*(f".golangci.{end}" for end in ("yml", "yaml", "toml", "json")))
    if golangci:
        found.append(place.found(Kind.LINT, "golangci-lint", "golangci-lint run", place.shown(golangci)))
    return found


def _workspace_modules(place: Place) -> str:
    text = re.sub(r"//.*", "", place.text("go.work"))
    blocks = re.findall(r"^use\s*\(([^)]*)\)", text, re.MULTILINE)
    names = [name for block in blocks for name in block.split()] + re.findall(r"^use\s+([^\s(]+)", text, re.MULTILINE)
    modules = [f"./{PurePosixPath(name)}/..." if PurePosixPath(name).parts else "./..." for name in names]
    return " ".join(modules) or "./..."


def find_gradle(place: Place) -> list[Found]:
    file = place.has("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
    if not file:
        return []
    root = _root_with(place, "settings.gradle", "settings.gradle.kts", "gradlew") or place
    project = _below(root, place).replace("/", ":")
    tasks = [f":{project}:{task}" if project else task for task in ("assemble", "test")]
    # A daemon would outlive the check that started it.
    command = f"{_wrapper(root, 'gradlew', 'gradle')} --no-daemon --console=plain"
    return [
        root.found(kind, "gradle", f"{command} {task}", place.shown(file), SLOW_SECONDS)
        for kind, task in zip((Kind.BUILD, Kind.TESTS), tasks, strict=True)
    ]


def find_maven(place: Place) -> list[Found]:
    if not place.has("pom.xml"):
        return []
    root = place
    for folder in place.above():
        module = _below(folder, place).split("/")[0]
        if module and "<modules>" in folder.text("pom.xml"):
            root = folder
    below = _below(root, place)
    only = f" -pl {below} -am" if below else ""
    command = f"{_wrapper(root, 'mvnw', 'mvn')} -B{only} test"
    return [root.found(Kind.TESTS, "maven", command, place.shown("pom.xml"), SLOW_SECONDS)]


def _root_with(place: Place, *names: str) -> Place | None:
    """The highest folder that has one of the names."""
    found = [folder for folder in place.above() if folder.has(*names)]
    return found[-1] if found else None


def _below(root: Place, place: Place) -> str:
    return place.folder.removeprefix(root.folder).strip("/")


def _wrapper(place: Place, wrapper: str, program: str) -> str:
    if not place.has(wrapper):
        return program
    return f"./{wrapper}" if place.executable(wrapper) else f"sh {wrapper}"


def find_sbt(place: Place) -> list[Found]:
    if not place.has("build.sbt"):
        return []
    return [place.found(Kind.TESTS, "sbt", "sbt -batch test", place.shown("build.sbt"), SLOW_SECONDS)]


def find_dotnet(place: Place) -> list[Found]:
    solutions = sorted(name for name in place.names if name.endswith((".sln", ".slnx")))
    projects = sorted(name for name in place.names if re.search(r"\.(?:cs|fs|vb)proj$", name))
    if not solutions and not projects:
        return []
    # `dotnet` refuses to guess between several.
    chosen = (solutions or projects)[0]
    named = f" {chosen}" if len(solutions or projects) > 1 else ""
    if named:
        place.note(say("detected.several_solutions", chosen=place.shown(chosen)))
    return [
        place.found(Kind.BUILD, "dotnet", f"dotnet build{named}", place.shown(chosen), SLOW_SECONDS),
        place.found(Kind.TESTS, "dotnet", f"dotnet test{named}", place.shown(chosen), SLOW_SECONDS),
    ]


_CMAKE_TESTS = re.compile(
    r"^\s*(?:enable_testing\s*\(|include\s*\(\s*CTest\b|add_test\s*\()", re.MULTILINE | re.IGNORECASE
)


def find_cmake(place: Place) -> list[Found]:
    if not place.has("CMakeLists.txt"):
        return []
    text = place.text("CMakeLists.txt")
    if not re.search(r"^\s*project\s*\(", text, re.MULTILINE | re.IGNORECASE):
        return []
    source = place.shown("CMakeLists.txt")
    ignored = re.search(r"^/?build/?\s*$|^/?build\*", place.text(".gitignore"), re.MULTILINE)
    if not ignored and not place.folder:
        place.note(say("detected.cmake_build"))
    found = [place.found(Kind.BUILD, "cmake", "cmake -S . -B build && cmake --build build", source, SLOW_SECONDS)]
    if _CMAKE_TESTS.search(text):
        command = "ctest --test-dir build --output-on-failure"
        found.append(place.found(Kind.TESTS, "ctest", command, source, SLOW_SECONDS))
    return found


def find_swift(place: Place) -> list[Found]:
    if not place.has("Package.swift"):
        return []
    source = place.shown("Package.swift")
    found = [place.found(Kind.BUILD, "swift", "swift build", source, SLOW_SECONDS)]
    if place.has("Tests"):
        found.append(place.found(Kind.TESTS, "swift", "swift test", source, SLOW_SECONDS))
    return found
