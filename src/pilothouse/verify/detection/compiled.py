"""Cargo, Go, Gradle, Maven, sbt, .NET, CMake and Swift."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from pilothouse.verify.detection.folder import SLOW_SECONDS, Folder, FoundCheck, Kind, table
from pilothouse.words import say


def find_cargo(folder: Folder) -> list[FoundCheck]:
    if not folder.has("Cargo.toml"):
        return []
    manifest = folder.toml("Cargo.toml")
    # A root with a package of its own would mean that package alone.
    everywhere = " --workspace" if "workspace" in manifest and "package" in manifest else ""
    source = folder.shown("Cargo.toml")
    found = [
        folder.found(Kind.BUILD, "cargo", f"cargo build{everywhere}", source, SLOW_SECONDS),
        folder.found(Kind.TESTS, "cargo", f"cargo test{everywhere}", source, SLOW_SECONDS),
    ]
    clippy = _clippy(folder)
    if clippy:
        command = f"cargo clippy{everywhere} --all-targets"
        found.append(folder.found(Kind.LINT, "cargo", command, folder.shown(clippy), SLOW_SECONDS))
    return found


def _clippy(folder: Folder) -> str | None:
    """The file in which the project says that it uses clippy."""
    for outer in folder.above():
        configured = outer.has("clippy.toml", ".clippy.toml")
        if configured:
            return configured
        manifest = outer.toml("Cargo.toml")
        if table(manifest, "lints", "clippy") or table(manifest, "workspace", "lints", "clippy"):
            return "Cargo.toml"
        components = table(outer.toml("rust-toolchain.toml"), "toolchain").get("components")
        if isinstance(components, list) and "clippy" in components:
            return "rust-toolchain.toml"
    sources = ("src/lib.rs", "src/main.rs")
    return next((name for name in sources if re.search(r"#!\[\w+\([^]]*clippy::", folder.text(name))), None)


def find_go(folder: Folder) -> list[FoundCheck]:
    file = folder.has("go.mod", "go.work")
    if not file:
        return []
    where = "./..." if file == "go.mod" else _workspace_modules(folder)
    source = folder.shown(file)
    found = [
        folder.found(Kind.TYPES, "go vet", f"go vet {where}", source),
        folder.found(Kind.BUILD, "go build", f"go build {where}", source, SLOW_SECONDS),
        folder.found(Kind.TESTS, "go test", f"go test {where}", source, SLOW_SECONDS),
    ]
    golangci = folder.has(*(f".golangci.{end}" for end in ("yml", "yaml", "toml", "json")))
    if golangci:
        found.append(folder.found(Kind.LINT, "golangci-lint", "golangci-lint run", folder.shown(golangci)))
    return found


def _workspace_modules(folder: Folder) -> str:
    text = re.sub(r"//.*", "", folder.text("go.work"))
    blocks = re.findall(r"^use\s*\(([^)]*)\)", text, re.MULTILINE)
    names = [name for block in blocks for name in block.split()] + re.findall(r"^use\s+([^\s(]+)", text, re.MULTILINE)
    modules = [f"./{PurePosixPath(name)}/..." if PurePosixPath(name).parts else "./..." for name in names]
    return " ".join(modules) or "./..."


def find_gradle(folder: Folder) -> list[FoundCheck]:
    file = folder.has("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
    if not file:
        return []
    root = _root_with(folder, "settings.gradle", "settings.gradle.kts", "gradlew") or folder
    project = _below(root, folder).replace("/", ":")
    tasks = [f":{project}:{task}" if project else task for task in ("assemble", "test")]
    # A daemon would outlive the check that started it.
    command = f"{_wrapper(root, 'gradlew', 'gradle')} --no-daemon --console=plain"
    return [
        root.found(kind, "gradle", f"{command} {task}", folder.shown(file), SLOW_SECONDS)
        for kind, task in zip((Kind.BUILD, Kind.TESTS), tasks, strict=True)
    ]


def find_maven(folder: Folder) -> list[FoundCheck]:
    if not folder.has("pom.xml"):
        return []
    root = folder
    for outer in folder.above():
        module = _below(outer, folder).split("/")[0]
        if module and "<modules>" in outer.text("pom.xml"):
            root = outer
    below = _below(root, folder)
    only = f" -pl {below} -am" if below else ""
    command = f"{_wrapper(root, 'mvnw', 'mvn')} -B{only} test"
    return [root.found(Kind.TESTS, "maven", command, folder.shown("pom.xml"), SLOW_SECONDS)]


def _root_with(folder: Folder, *names: str) -> Folder | None:
    """The highest folder that has one of the names."""
    found = [outer for outer in folder.above() if outer.has(*names)]
    return found[-1] if found else None


def _below(root: Folder, folder: Folder) -> str:
    return folder.relative.removeprefix(root.relative).strip("/")


def _wrapper(folder: Folder, wrapper: str, program: str) -> str:
    if not folder.has(wrapper):
        return program
    return f"./{wrapper}" if folder.executable(wrapper) else f"sh {wrapper}"


def find_sbt(folder: Folder) -> list[FoundCheck]:
    if not folder.has("build.sbt"):
        return []
    return [folder.found(Kind.TESTS, "sbt", "sbt -batch test", folder.shown("build.sbt"), SLOW_SECONDS)]


def find_dotnet(folder: Folder) -> list[FoundCheck]:
    solutions = sorted(name for name in folder.names if name.endswith((".sln", ".slnx")))
    projects = sorted(name for name in folder.names if re.search(r"\.(?:cs|fs|vb)proj$", name))
    if not solutions and not projects:
        return []
    # `dotnet` refuses to guess between several.
    chosen = (solutions or projects)[0]
    named = f" {chosen}" if len(solutions or projects) > 1 else ""
    if named:
        folder.note(say("detected.several_solutions", chosen=folder.shown(chosen)))
    return [
        folder.found(Kind.BUILD, "dotnet", f"dotnet build{named}", folder.shown(chosen), SLOW_SECONDS),
        folder.found(Kind.TESTS, "dotnet", f"dotnet test{named}", folder.shown(chosen), SLOW_SECONDS),
    ]


_CMAKE_TESTS = re.compile(
    r"^\s*(?:enable_testing\s*\(|include\s*\(\s*CTest\b|add_test\s*\()", re.MULTILINE | re.IGNORECASE
)


def find_cmake(folder: Folder) -> list[FoundCheck]:
    if not folder.has("CMakeLists.txt"):
        return []
    text = folder.text("CMakeLists.txt")
    if not re.search(r"^\s*project\s*\(", text, re.MULTILINE | re.IGNORECASE):
        return []
    source = folder.shown("CMakeLists.txt")
    ignored = re.search(r"^/?build/?\s*$|^/?build\*", folder.text(".gitignore"), re.MULTILINE)
    if not ignored and not folder.relative:
        folder.note(say("detected.cmake_build"))
    found = [folder.found(Kind.BUILD, "cmake", "cmake -S . -B build && cmake --build build", source, SLOW_SECONDS)]
    if _CMAKE_TESTS.search(text):
        command = "ctest --test-dir build --output-on-failure"
        found.append(folder.found(Kind.TESTS, "ctest", command, source, SLOW_SECONDS))
    return found


def find_swift(folder: Folder) -> list[FoundCheck]:
    if not folder.has("Package.swift"):
        return []
    source = folder.shown("Package.swift")
    found = [folder.found(Kind.BUILD, "swift", "swift build", source, SLOW_SECONDS)]
    if folder.has("Tests"):
        found.append(folder.found(Kind.TESTS, "swift", "swift test", source, SLOW_SECONDS))
    return found
