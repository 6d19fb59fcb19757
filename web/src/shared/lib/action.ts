import { useMutation, useQueryClient, type UseMutationOptions } from "@tanstack/react-query";
import type { QueryName } from "@/api/queries";
import { toast } from "@/shared/ui/toast";

/** Something a person asks of the server: what goes wrong is told, and the queries it makes `stale` are asked again. */
export function useAction<Answer, Wish = void>(
  stale: readonly QueryName[],
  options: UseMutationOptions<Answer, Error, Wish>,
) {
  const client = useQueryClient();
  return useMutation({
    onError: toast.error,
    onSettled: () => Promise.all(stale.map((name) => client.invalidateQueries({ queryKey: [name] }))),
    ...options,
  });
}
