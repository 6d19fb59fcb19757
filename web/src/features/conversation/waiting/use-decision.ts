import { useMutation, useQueryClient } from "@tanstack/react-query";
import { decide } from "@/api/actions";
import type { GuardChoice, Task } from "@/api/types";
import { toast } from "@/shared/ui/toast";

/** Tells the server what the person decided, and what became of it. */
export function useDecision(task: Task, done: (choice: GuardChoice) => string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ choice, amount = null }: { choice: GuardChoice; amount?: number | null }) =>
      decide(task, choice, amount),
    onSuccess: (_, { choice }) => {
      toast.done(done(choice));
    },
    onError: toast.error,
    onSettled: () =>
      Promise.all(["tasks", "queues", "sessions"].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}
