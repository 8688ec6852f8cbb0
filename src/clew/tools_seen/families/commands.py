"""Shell commands: what the program and its subcommand do."""

from __future__ import annotations

from collections.abc import Iterable

from clew.tools_seen.seen import Action
from clew.tools_seen.table import CommandRule


def _all(
    action: Action,
    lines: Iterable[str],
    *,
    effect: str = "",
    tests: bool = False,
    operand_from: int = 0,
) -> tuple[CommandRule, ...]:
    """One rule a line: words, then options that must be present (any of them)."""
    rules = []
    for line in lines:
        words = tuple(word for word in line.split() if not word.startswith("-"))
        options = tuple(word for word in line.split() if word.startswith("-"))
        rules.append(
            CommandRule(
                words=words,
                options=options,
                action=action,
                effect=effect,
                tests=tests,
                operand_from=operand_from,
            )
        )
    return tuple(rules)


def _effects(table: dict[str, str]) -> tuple[CommandRule, ...]:
    return tuple(
        rule
        for line, effect in table.items()
        for rule in _all(Action.EFFECT, (line,), effect=effect)
    )


_READS = _all(
    Action.READ,
    (
        "cat", "bat", "head", "tail", "less", "more", "nl", "tac", "zcat", "xxd", "hexdump", "od",
        "strings", "file", "stat", "wc", "md5sum", "sha256sum", "cksum", "readlink", "realpath",
        "basename", "dirname", "diff", "cmp", "column", "cut", "sort", "uniq", "tr", "pwd", "date",
        "whoami", "uname", "hostname", "id", "env", "printenv", "df", "du", "free", "uptime", "ps",
        "top", "lsof", "netstat", "ss", "lscpu", "lsblk", "nvidia-smi", "git", "man", "open",
        "type", "get-content", "plutil", "sw_vers", "dmesg", "journalctl",
        "otool", "nm", "objdump",
        "readelf", "ldd", "jobs", "test", "[", "[[", "defaults", "sysctl", "lspci",
        "lsusb", "lsmod",
        "identify", "ffprobe", "exiftool", "pdftotext", "glow", "curl", "wget",
        "http", "dig", "nslookup", "ping", "host", "whois", "ifconfig", "ip", "gsettings", "xrandr",
        "docker ps", "docker images", "docker logs", "docker inspect", "kubectl get",
        "kubectl describe", "kubectl logs", "helm list", "helm status", "terraform plan",
        "terraform show", "terraform state", "gh pr view", "gh pr list", "gh pr diff",
        "gh pr checks", "gh issue view", "gh issue list", "gh run", "gh repo view",
        "gh auth status",
        "gh release view", "gh release list", "gh api", "gh search", "glab mr view", "npm ls",
        "npm view", "npm outdated", "pip list", "pip show", "pip freeze", "pip3 list", "pip3 show",
        "uv tree", "cargo tree", "cargo metadata", "go list", "go doc", "go env", "go version",
        "systemctl status", "systemctl list-units", "systemctl is-active", "launchctl list",
        "logread", "goto", "scroll_up", "scroll_down", "decompile", "disassemble", "sqlite3",
        "psql", "mysql", "mongosh", "redis-cli", "bq", "snowsql", "duckdb",
        "rpm", "dpkg", "apt-cache", "pacman", "brew list", "brew info", "uci show", "uci get",
        "opkg list", "opkg list-installed", "opkg info", "pgrep", "mount", "alembic current",
        "alembic history", "getent", "sha1sum", "shasum", "md5", "cloc", "tokei", "xmllint",
    ),
)  # fmt: skip
_PATTERN_READS = _all(
    Action.READ, ("sed", "awk", "gawk", "jq", "yq", "xq", "perl -ne"), operand_from=1
)
_SEARCHES = (
    *_all(
        Action.SEARCH,
        (
            "rg", "grep", "egrep", "fgrep", "ag", "ack", "ast-grep", "zgrep", "git grep",
            "search_dir", "search_file", "find_file", "select-string",
            "findstr",
        ),
        operand_from=1,
    ),
    *_all(
        Action.SEARCH,
        (
            "find", "fd", "fdfind", "ls", "ll", "dir", "tree", "locate", "mdfind", "which",
            "whereis", "command", "get-childitem", "git ls-files", "git ls-tree", "where", "exa",
            "eza", "git ls-remote", "apropos", "sem", "apt search", "brew search", "npm search",
            "entire-graph",
        ),
    ),
)  # fmt: skip
_WRITES = (
    *_all(
        Action.WRITE,
        (
            "tee", "touch", "mkdir", "cp", "ln", "chmod", "chown", "install", "patch",
            "apply_patch", "truncate", "dd", "unzip", "tar", "gunzip", "gzip", "zip", "set-content",
            "git add", "git apply", "git mv", "git checkout", "git switch",
            "git restore --staged", "git init", "git clone", "git pull", "git fetch", "git config",
            "git worktree", "git reset",
            "git submodule", "git remote", "git branch", "gofmt -w", "goimports -w", "prettier -w",
            "prettier --write", "black", "isort", "ruff format", "cargo fmt", "go fmt",
            "eslint --fix", "ruff --fix", "dos2unix", "rsync", "create", "edit", "md", "mkfile",
            "new-item", "ssh-keygen", "xclip", "pbcopy", "uci set", "uci commit", "crontab",
            "git update-index", "git read-tree", "git update-ref", "gofumpt -w", "mktemp",
            "git symbolic-ref", "ffmpeg", "convert", "magick", "sips", "openssl", "vhs",
        ),
    ),
    *_all(
        Action.WRITE, ("sed -i", "sed --in-place", "perl -i", "perl -pi", "yq -i"), operand_from=1
    ),
)  # fmt: skip
_GIT_READS = _all(
    Action.READ,
    (
        "git status", "git log", "git diff", "git show", "git blame", "git rev-parse",
        "git describe", "git reflog", "git cat-file", "git shortlog", "git merge-base",
        "git for-each-ref", "git config --get", "git config --list", "git config -l",
        "git branch --show-current", "git branch -a", "git branch -r", "git branch -v",
        "git branch --list", "git branch --contains", "git remote -v", "git stash list",
        "git stash show", "git fsck", "git count-objects", "git check-ignore", "git rev-list",
        "git tag -l", "git tag --list", "git worktree list", "git symbolic-ref --short",
        "git show-ref", "git name-rev", "git var", "git remote get-url", "git remote show",
        "git submodule status", "git apply --check", "gofmt -l", "gofmt -d", "tar -t", "unzip -l",
        "crontab -l", "openssl x509", "openssl version", "openssl s_client",
    ),
)  # fmt: skip
_EFFECTS = _effects(
    {
        "git commit": "git commit", "git push": "git push", "git merge": "git merge",
        "git rebase": "git rebase", "git revert": "git revert", "git am": "git am",
        "git cherry-pick": "git cherry-pick", "git checkout --": "discard changes",
        **dict.fromkeys(
            ("git checkout -b", "git checkout -B", "git switch -c", "git switch -C",
             "git switch --create"),
            "create branch",
        ),
        "git branch -m": "rename branch", "git branch -M": "rename branch",
        "git pull": "git pull", "git clone": "git clone", "git read-tree": "git read-tree",
        "git update-ref": "git update-ref", "git submodule add": "git submodule add",
        "git remote add": "git remote", "git remote set-url": "git remote",
        "git remote remove": "git remote", "git remote rename": "git remote",
        "git notes add": "git notes", "git lfs track": "git lfs track",
        "git tag": "git tag", "git branch -D": "delete branch", "git branch -d": "delete branch",
        "git branch --delete": "delete branch", "git push --delete": "delete remote branch",
        "git reset --hard": "git reset --hard", "git clean": "git clean",
        "git stash": "git stash", "git stash pop": "git stash pop",
        "git restore": "discard changes",
        "git stash apply": "git stash pop", "git worktree add": "create worktree",
        "git stash drop": "git stash drop", "git stash clear": "git stash clear",
        "git gc": "git gc", "git prune": "git prune", "git filter-branch": "git filter-branch",
        "git rm": "delete", "git worktree remove": "delete worktree",
        "rm": "delete", "rmdir": "delete", "unlink": "delete", "shred": "delete", "del": "delete",
        "remove-item": "delete", "rimraf": "delete", "trash": "delete", "find -delete": "delete",
        "mv": "move", "move-item": "move", "rename": "move", "rsync --delete": "delete",
        "kill": "kill process", "killall": "kill process", "pkill": "kill process",
        "taskkill": "kill process", "stop-process": "kill process",
        "gh pr create": "pull request created", "gh pr merge": "pull request merged",
        "gh pr close": "pull request closed", "gh pr comment": "pull request comment",
        "gh pr edit": "pull request edited", "gh pr review": "pull request review",
        "gh pr ready": "pull request ready", "gh pr reopen": "pull request reopened",
        "gh issue create": "issue created", "gh issue close": "issue closed",
        "gh issue comment": "issue comment", "gh issue edit": "issue edited",
        "gh release create": "release created", "gh release delete": "release deleted",
        "gh release upload": "release upload", "gh repo create": "repository created",
        "gh repo edit": "repository edited", "gh repo rename": "repository renamed",
        "gh repo archive": "repository archived", "gh repo unarchive": "repository edited",
        "gh repo fork": "repository forked", "gh repo deploy-key": "repository edited",
        "gh label create": "label created", "gh variable set": "variable set",
        "gh run cancel": "workflow stopped",
        "gh repo delete": "repository deleted", "gh workflow run": "workflow started",
        "gh run rerun": "workflow started", "gh secret set": "secret set",
        "gh auth login": "login", "glab mr create": "merge request created",
        "glab mr merge": "merge request merged", "glab repo create": "repository created",
        "glab issue create": "issue created",
        "kubectl apply": "kubectl apply", "kubectl delete": "kubectl delete",
        "kubectl create": "kubectl create", "kubectl patch": "kubectl patch",
        "kubectl scale": "kubectl scale", "kubectl rollout": "kubectl rollout",
        "kubectl edit": "kubectl edit", "kubectl replace": "kubectl replace",
        "kubectl drain": "kubectl drain", "helm install": "helm install",
        "helm upgrade": "helm upgrade", "helm uninstall": "helm uninstall",
        "helm delete": "helm uninstall", "helm rollback": "helm rollback",
        "terraform apply": "terraform apply", "terraform destroy": "terraform destroy",
        "terraform import": "terraform import", "tofu apply": "terraform apply",
        "pulumi up": "pulumi up", "pulumi destroy": "pulumi destroy",
        "ansible-playbook": "ansible playbook", "cdk deploy": "deploy", "sam deploy": "deploy",
        "serverless deploy": "deploy", "vercel": "deploy", "netlify deploy": "deploy",
        "fly deploy": "deploy", "flyctl deploy": "deploy", "gcloud app deploy": "deploy",
        "gcloud run deploy": "deploy", "firebase deploy": "deploy", "wrangler deploy": "deploy",
        "docker push": "docker push", "docker rm": "docker rm", "docker rmi": "docker rmi",
        "docker stop": "docker stop", "docker kill": "docker kill",
        "docker run -d": "docker run", "docker run --detach": "docker run",
        "docker system prune": "docker prune", "docker volume rm": "docker volume rm",
        "docker compose down": "docker compose down", "docker-compose down": "docker compose down",
        "docker compose up": "docker compose up", "docker-compose up": "docker compose up",
        "npm publish": "publish", "pnpm publish": "publish", "yarn publish": "publish",
        "cargo publish": "publish", "twine upload": "publish", "uv publish": "publish",
        "poetry publish": "publish", "gem push": "publish", "goreleaser release": "release",
        "alembic upgrade": "migration", "alembic downgrade": "migration", "migrate": "migration",
        "flyway migrate": "migration", "liquibase update": "migration", "dbmate up": "migration",
        "prisma migrate": "migration", "prisma db": "migration", "knex migrate:latest": "migration",
        "rails db:migrate": "migration", "rake db:migrate": "migration", "goose up": "migration",
        "sqlx migrate": "migration", "diesel migration": "migration", "drizzle-kit": "migration",
        "python manage.py migrate": "migration", "python3 manage.py migrate": "migration",
        "manage.py migrate": "migration", "atlas migrate": "migration",
        "sqitch deploy": "migration",
        "mail": "mail sent", "mailx": "mail sent", "sendmail": "mail sent", "mutt": "mail sent",
        "msmtp": "mail sent", "swaks": "mail sent", "scp": "remote copy", "sftp": "remote copy",
        "systemctl restart": "service restart", "systemctl start": "service start",
        "systemctl stop": "service stop", "systemctl enable": "service enable",
        "systemctl disable": "service disable", "systemctl daemon-reload": "service reload",
        "service": "service", "launchctl load": "service start", "launchctl unload": "service stop",
        "launchctl bootout": "service stop", "reboot": "reboot", "shutdown": "shutdown",
        "poweroff": "shutdown", "useradd": "user added", "userdel": "user deleted",
        "passwd": "password changed", "aws s3 rm": "delete", "aws s3 cp": "s3 upload",
        "aws s3 sync": "s3 upload", "aws s3 mb": "bucket created", "aws s3 rb": "bucket deleted",
        "dropdb": "database dropped", "createdb": "database created",
        "bun add": "install", "bun remove": "uninstall", "pnpm add": "install",
        "pnpm remove": "uninstall", "yarn add": "install", "yarn remove": "uninstall",
        "npm uninstall": "uninstall", "poetry add": "install", "poetry remove": "uninstall",
        "uv add": "install", "uv remove": "uninstall", "cargo add": "install",
        "cargo remove": "uninstall", "apt install": "install", "apt-get install": "install",
        "apt remove": "uninstall", "apt-get remove": "uninstall", "brew install": "install",
        "brew uninstall": "uninstall", "opkg install": "install", "opkg remove": "uninstall",
        "pip install": "install",
        "pip3 install": "install", "pip uninstall": "uninstall", "pip3 uninstall": "uninstall",
        "uv pip": "install", "uv sync": "install", "uv tool install": "install",
        "pipx install": "install", "npm install": "install", "npm i": "install",
        "npm ci": "install", "pnpm install": "install", "yarn install": "install",
        "bun install": "install", "poetry install": "install", "gem install": "install",
        "bundle install": "install", "cargo install": "install", "conda install": "install",
        "composer install": "install", "composer require": "install", "dnf install": "install",
        "dnf remove": "uninstall", "yum install": "install", "yum remove": "uninstall",
        "zypper install": "install", "zypper remove": "uninstall", "apk add": "install",
        "apk del": "uninstall", "snap install": "install", "snap remove": "uninstall",
        "flatpak install": "install", "flatpak uninstall": "uninstall",
        "go get": "install", "mise use": "install", "ollama pull": "install",
        "winget install": "install", "choco install": "install", "scoop install": "install",
        **dict.fromkeys(
            ("pacman -S", "pacman -Sy", "pacman -Syu", "pacman -U", "yay -S", "paru -S"), "install"
        ),
        **dict.fromkeys(("pacman -R", "pacman -Rs", "pacman -Rns"), "uninstall"),
        "modprobe": "kernel module", "insmod": "kernel module", "rmmod": "kernel module",
        "sysctl -w": "settings change", "mise trust": "trust", "direnv allow": "trust",
        "usermod": "user changed", "groupadd": "group added", "chsh": "user changed",
        "mkfs": "format", "fdisk": "format", "iptables": "firewall change",
        "ufw": "firewall change",
        "redis-cli flushall": "database flushed", "redis-cli del": "database delete",
        "stripe": "payment api", "defaults write": "settings change",
        "defaults delete": "settings change", "gsettings set": "settings change",
    }
)  # fmt: skip
_RUNS = _all(
    Action.RUN,
    (
        "python", "python3", "python2", "node", "deno", "bun", "ruby", "perl", "php", "java",
        "dotnet", "go run", "go build", "go generate", "go install", "go get", "go mod", "go",
        "cargo", "cargo run", "cargo build", "npm", "npx", "pnpm", "yarn", "pip", "pip3", "uv",
        "poetry", "conda", "apt", "apt-get", "brew", "yum", "dnf", "apk", "opkg", "docker",
        "docker build", "docker run", "docker compose", "docker-compose", "make", "cmake", "ninja",
        "gcc", "g++", "clang", "rustc", "tsc", "webpack", "vite", "esbuild", "bundle", "gem",
        "rake", "mvn", "gradle", "sbt", "mix", "source", ".", "ssh", "nc", "telnet", "gdb", "sleep",
        "bash", "sh", "zsh", "watch", "wait", "xargs", "script", "expect", "tmux", "screen",
        "gh", "glab", "aws", "gcloud", "az", "kubectl", "helm", "terraform", "claude", "codex",
        "gemini", "alembic", "flask", "django-admin", "uvicorn", "gunicorn", "streamlit", "mise",
        "nvm", "asdf", "pyenv", "codesign", "xcodebuild", "swift", "osascript", "eval", "time",
        "serve", "powershell", "pwsh", "systemctl", "launchctl", "aerospace", "reset", "entire",
        "connect_start", "connect_sendline", "connect_exec", "debug_start", "debug_exec",
        "submit", "exit", "uci", "service", "Rscript", "julia", "lua", "scala", "kotlin",
        "hyperfine",
    ),
)  # fmt: skip
_TESTS = _all(
    Action.RUN,
    (
        "pytest", "py.test", "tox", "nox", "nosetests", "python manage.py test", "go test",
        "go vet", "gotestsum", "cargo test", "cargo nextest", "cargo check", "cargo clippy",
        "npm test", "npm t", "npm run test", "npm run lint", "npm run build", "npm run check",
        "npm run typecheck", "pnpm test", "pnpm run test", "pnpm lint", "pnpm build",
        "pnpm run build", "pnpm run check", "pnpm check", "pnpm typecheck", "yarn test",
        "yarn build", "yarn lint", "bun test", "bun run test", "bun run build", "bun run check",
        "deno test", "jest", "vitest", "mocha", "ava", "tap", "playwright", "cypress", "karma",
        "rspec", "rails test", "rake test", "rake spec", "minitest", "mvn test", "mvn verify",
        "mvn package", "mvn install", "./mvnw", "gradle test", "gradle build", "gradle check",
        "./gradlew", "gradlew", "phpunit", "./vendor/bin/phpunit", "vendor/bin/phpunit", "pest",
        "composer test", "dotnet test", "dotnet build", "ctest", "make test", "make check",
        "make lint", "make build", "make all", "make", "mix test", "swift test", "swift build",
        "xcodebuild test", "sbt test", "lein test", "stack test", "cabal test", "prove", "bats",
        "mypy", "pyright", "ruff", "ruff check", "flake8", "pylint", "eslint", "tsc", "tsgo",
        "biome", "golangci-lint", "staticcheck", "shellcheck", "hadolint", "pre-commit",
        "go build", "cargo build", "npm run", "pnpm run", "yarn run", "bun run", "mise run",
        "bin/test", "runtests.py", "./runtests.py", "./tests/runtests.py", "tests/runtests.py",
        "bazel test", "bazel build", "buck test", "ninja test", "meson test", "nx test",
        "turbo run", "just", "task", "unittest", "clippy", "gofmt", "prettier --check",
    ),
    tests=True,
)  # fmt: skip

COMMANDS: tuple[CommandRule, ...] = (
    *_EFFECTS,
    *_GIT_READS,
    *_WRITES,
    *_TESTS,
    *_READS,
    *_PATTERN_READS,
    *_SEARCHES,
    *_RUNS,
)
