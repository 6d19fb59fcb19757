import { decide } from "@/api/actions";
import type { GuardChoice, Task } from "@/api/types";
import { useAction } from "@/shared/lib/action";
import { toast } from "@/shared/ui/toast";

/** Tells the server what the person decided, and what became of it. */
export function useDecision(task: Task, done: (choice: GuardChoice) => string) {
  return useAction(["tasks", "queues", "sessions"], {
    mutationFn: ({ choice, amount = null }: { choice: GuardChoice; amount?: number | null }) =>
      decide(task, choice, amount),
    onSuccess: (_, { choice }) => toast.done(done(choice)),
  });
}
