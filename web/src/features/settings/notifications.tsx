import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { saveNotifications, tryNotification } from "@/api/actions";
import { askPermission, permission } from "@/api/announce";
import { notificationsQuery } from "@/api/queries";
import type { Delivery, NotificationKind, Notifications, NotificationsInput } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { listed } from "@/shared/lib/numbers";
import { useAction } from "@/shared/lib/action";
import { Button, IconButton } from "@/shared/ui/button";
import { Missing } from "@/shared/ui/missing";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Switch } from "@/shared/ui/switch";
import { Ago } from "@/shared/ui/time";
import { toast } from "@/shared/ui/toast";
import { Section } from "./section";

const FIELD = "h-8 rounded-md border border-line-strong bg-panel px-2";
const KINDS: NotificationKind[] = [
  "question",
  "permission",
  "blocker",
  "proposal",
  "interrupted",
  "usage_limit",
  "budget",
  "breaker",
  "stuck",
  "error",
  "finished",
];
const NIGHT = { quiet_from: "22:00", quiet_until: "07:00" };

type Save = (changes: Partial<NotificationsInput>, saved?: () => void) => void;

/** What is kept, in the form in which it is sent back: addresses stay by their id. */
export function inputOf(kept: Notifications): NotificationsInput {
  const { kinds, browser, desktop, channels, quiet_from, quiet_until, batch_seconds } = kept;
  return {
    kinds,
    browser,
    desktop,
    channels: channels.map(({ id }) => ({ id })),
    quiet_from,
    quiet_until,
    batch_seconds,
  };
}

function Test({ channel, last = null }: { channel: string; last?: Delivery | null }) {
  const trying = useAction(["notifications"], { mutationFn: () => tryNotification(channel) });
  const said = trying.data ?? last;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button size="sm" disabled={trying.isPending} onClick={() => trying.mutate()}>
        {trying.isPending ? t.notify.testing : t.notify.test}
      </Button>
      <span role="status">{said && <Result last={said} />}</span>
    </span>
  );
}

function Result({ last }: { last: Delivery }) {
  if (last.error)
    return (
      <span className="text-[13px] text-bad [overflow-wrap:anywhere]">
        {say(t.notify.failed, { error: last.error })}
      </span>
    );
  return (
    <span className="text-[13px] text-ok">
      {t.notify.delivered} <Ago at={last.at} />
    </span>
  );
}

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-2 px-4 py-3">{children}</div>;
}

function InBrowser({ kept, save }: { kept: Notifications; save: Save }) {
  const [allowed, setAllowed] = useState(permission);
  return (
    <Row>
      <Switch
        label={t.notify.browser}
        hint={t.notify.browserHint}
        checked={kept.browser}
        onChange={(browser) => save({ browser })}
      />
      {kept.browser && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pl-11.5">
          <p className="text-[13px] text-muted">{t.notify.permissions[allowed]}</p>
          {allowed === "default" && (
            <Button
              size="sm"
              onClick={() => {
                askPermission().then(setAllowed).catch(toast.error);
              }}
            >
              {t.notify.ask}
            </Button>
          )}
          {allowed === "granted" && <Test channel="browser" />}
        </div>
      )}
    </Row>
  );
}

function OnDesktop({ kept, save }: { kept: Notifications; save: Save }) {
  const { available, why_not, last } = kept.desktop_status;
  return (
    <Row>
      <Switch
        label={t.notify.desktop}
        {...(available ? {} : { hint: say(t.notify.desktopOff, { why: why_not }) })}
        checked={kept.desktop}
        onChange={(desktop) => save({ desktop })}
      />
      {kept.desktop && available && (
        <div className="flex flex-wrap items-center gap-x-3 pl-11.5">
          <Test channel="desktop" last={last} />
        </div>
      )}
    </Row>
  );
}

function Channels({ kept, busy, save }: { kept: Notifications; busy: boolean; save: Save }) {
  const [url, setUrl] = useState("");
  const others = inputOf(kept).channels;
  return (
    <Row>
      <div>
        <p className="font-medium">{t.notify.channels}</p>
        <p className="text-[13px] text-muted">{t.notify.channelsHint}</p>
      </div>
      {kept.channels.map((channel) => (
        <div key={channel.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line pt-2">
          <code className="min-w-0 flex-1 font-mono text-[12.5px] [overflow-wrap:anywhere]">{channel.shown}</code>
          <IconButton
            label={say(t.notify.remove, { name: channel.shown })}
            onClick={() => save({ channels: others.filter((other) => other.id !== channel.id) })}
          >
            <X size={15} aria-hidden />
          </IconButton>
          <span className="basis-full">
            <Test channel={channel.id} last={channel.last} />
          </span>
        </div>
      ))}
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (url.trim() === "" || busy) return;
          // An address that is refused stays, to be corrected.
          save({ channels: [...others, { url: url.trim() }] }, () => setUrl(""));
        }}
      >
        <input
          aria-label={t.notify.address}
          placeholder={t.notify.example}
          value={url}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setUrl(event.target.value)}
          className={`${FIELD} min-w-0 flex-1 basis-60 font-mono text-[12.5px]`}
        />
        <Button type="submit" disabled={busy}>
          {t.notify.add}
        </Button>
      </form>
    </Row>
  );
}

/** The words of the state that each kind tells of. */
function wordsFor(kind: NotificationKind): string {
  switch (kind) {
    case "proposal":
      return t.awaiting.dry_run;
    case "interrupted":
      return listed([t.awaiting.interrupted, t.awaiting.timeout]);
    case "stuck":
      return t.status.STUCK;
    case "error":
      return t.status.ERROR;
    case "finished":
      return t.status.COMPLETE;
    case "question":
    case "permission":
    case "blocker":
    case "usage_limit":
    case "budget":
    case "breaker":
      return t.awaiting[kind];
  }
}

function Kinds({ kept, save }: { kept: Notifications; save: Save }) {
  return (
    <Row>
      <fieldset>
        <legend className="font-medium">{t.notify.kinds}</legend>
        <div className="mt-1.5 grid gap-x-6 gap-y-1 sm:grid-cols-2">
          {KINDS.map((kind) => (
            <label key={kind} className="flex min-h-7 items-center gap-2">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={kept.kinds.includes(kind)}
                onChange={(event) =>
                  save({
                    kinds: event.target.checked ? [...kept.kinds, kind] : kept.kinds.filter((other) => other !== kind),
                  })
                }
              />
              {wordsFor(kind)}
            </label>
          ))}
        </div>
      </fieldset>
    </Row>
  );
}

/** Written freely, saved when it is left: half a number is none. */
function Seconds({ kept, onSeconds }: { kept: number; onSeconds: (seconds: number) => void }) {
  const [text, setText] = useState(String(kept));
  const done = () => {
    const seconds = Number(text);
    if (seconds === kept) return;
    if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 300) onSeconds(seconds);
    else setText(String(kept));
  };
  return (
    <input
      type="number"
      min={1}
      max={300}
      className={`${FIELD} w-20`}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={done}
      onKeyDown={(event) => {
        if (event.key === "Enter") done();
      }}
    />
  );
}

function Times({ kept, save }: { kept: Notifications; save: Save }) {
  const quiet = kept.quiet_from !== null && kept.quiet_until !== null;
  return (
    <>
      <Row>
        <Switch
          label={t.notify.quiet}
          hint={t.notify.quietHint}
          checked={quiet}
          onChange={(on) => save(on ? NIGHT : { quiet_from: null, quiet_until: null })}
        />
        {quiet && (
          <div className="flex flex-wrap gap-4 pl-11.5">
            {(["quiet_from", "quiet_until"] as const).map((name) => (
              <label key={name} className="flex items-center gap-2">
                {name === "quiet_from" ? t.notify.from : t.notify.until}
                <input
                  type="time"
                  className={FIELD}
                  value={(kept[name] ?? "").slice(0, 5)}
                  onChange={(event) => {
                    if (event.target.value) save({ [name]: event.target.value });
                  }}
                />
              </label>
            ))}
          </div>
        )}
      </Row>
      <Row>
        <label className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{t.notify.batch}</span>
          <Seconds
            key={kept.batch_seconds}
            kept={kept.batch_seconds}
            onSeconds={(batch_seconds) => save({ batch_seconds })}
          />
          <span className="text-muted">{t.notify.seconds}</span>
        </label>
      </Row>
    </>
  );
}

/** What reaches a person who is not looking, and how. Every change is saved as it is made. */
export function NotificationsSection() {
  const client = useQueryClient();
  const kept = useQuery(notificationsQuery);
  const saving = useMutation({
    mutationFn: saveNotifications,
    onSuccess: (now) => {
      client.setQueryData(notificationsQuery.queryKey, now);
    },
    onError: (error) => {
      toast.error(error);
      void client.invalidateQueries({ queryKey: notificationsQuery.queryKey });
    },
  });
  const shown = kept.data;
  const save: Save = (changes, saved) => {
    if (!shown) return;
    const { channels, ...rest } = changes;
    if (channels === undefined) client.setQueryData(notificationsQuery.queryKey, { ...shown, ...rest });
    saving.mutate({ ...inputOf(shown), ...changes }, { onSuccess: () => saved?.() });
  };
  return (
    <Section title={t.notify.title} lead={t.notify.lead} bare={!shown}>
      <Missing query={kept}>
        <SkeletonRows rows={3} className="h-14" />
      </Missing>
      {shown && (
        <>
          <InBrowser kept={shown} save={save} />
          <OnDesktop kept={shown} save={save} />
          <Channels kept={shown} busy={saving.isPending} save={save} />
          <Kinds kept={shown} save={save} />
          <Times kept={shown} save={save} />
        </>
      )}
    </Section>
  );
}
