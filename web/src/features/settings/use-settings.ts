import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { changeSettings } from "@/api/actions";
import { agentsQuery, settingsQuery } from "@/api/queries";
import type { Settings, SettingsPatch } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { toast } from "@/shared/ui/toast";

export type Save = (patch: SettingsPatch, then?: () => void) => void;

/** The settings, and the way to change whole sections of them. */
export function useSettings(): { query: ReturnType<typeof useQuery<Settings>>; save: Save; saving: boolean } {
  const client = useQueryClient();
  const query = useQuery(settingsQuery);
  const changing = useMutation({
    mutationFn: changeSettings,
    onError: toast.error,
    onSuccess: (now) => {
      client.setQueryData(settingsQuery.queryKey, now);
      void client.invalidateQueries({ queryKey: agentsQuery.queryKey });
      toast.done(t.saving.saved);
    },
  });
  const save: Save = (patch, then) => changing.mutate(patch, then ? { onSuccess: then } : {});
  return { query, save, saving: changing.isPending };
}
