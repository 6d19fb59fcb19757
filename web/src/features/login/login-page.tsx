import { useEffect, useRef, useState } from "react";
import { login } from "@/api/client";
import { ApiError } from "@/api/errors";
import { t } from "@/shared/i18n/t";
import { Button } from "@/shared/ui/button";
import { Failure } from "@/shared/ui/failure";
import { Wheel } from "@/shared/ui/wheel";
import { takeToken } from "./fragment";

export function LoginPage({ onLogin }: { onLogin: () => void }) {
  const [token, setToken] = useState("");
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const tried = useRef(false);

  const enter = async (given: string, fromLink: boolean) => {
    if (given.trim() === "") {
      setProblem(new Error(t.login.empty));
      return;
    }
    setWorking(true);
    setProblem(null);
    try {
      await login(given.trim());
      onLogin();
    } catch (error) {
      setProblem(fromLink && error instanceof ApiError && error.status === 401 ? new Error(t.login.expired) : error);
      setWorking(false);
    }
  };

  useEffect(() => {
    if (tried.current) return;
    tried.current = true;
    const given = takeToken();
    if (given) void enter(given, true);
  });

  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-6 px-5 py-10">
      <div className="flex items-center gap-3">
        <Wheel className="size-9" />
        <span className="text-lg font-semibold tracking-tight">{t.common.product}</span>
      </div>
      <form
        className="card flex flex-col gap-4 p-5 shadow-card"
        onSubmit={(event) => {
          event.preventDefault();
          void enter(token, false);
        }}
      >
        <div>
          <h1 className="text-base font-semibold">{t.login.title}</h1>
          <p className="mt-1 text-muted">{t.login.lead}</p>
        </div>
        <label className="flex flex-col gap-1.5 font-medium">
          {t.login.token}
          <input
            type="password"
            autoComplete="current-password"
            value={token}
            onChange={(event) => setToken(event.target.value)}
            className="h-10 rounded-md border border-line-strong bg-bg px-3 font-mono text-[13px]"
          />
        </label>
        {problem !== null && <Failure error={problem} />}
        <Button type="submit" look="primary" size="lg" disabled={working}>
          {working ? t.login.working : t.login.submit}
        </Button>
        <p className="text-[13px] text-muted">{t.login.where}</p>
      </form>
    </main>
  );
}
