import createClient from "openapi-fetch";
import { create } from "zustand";
import { errorFrom, OfflineError } from "./errors";
import type { paths } from "./schema";

type Login = "unknown" | "in" | "out";

/** Whether this browser is logged in, as far as the last answer showed. */
export const useLogin = create<{ login: Login; set: (login: Login) => void }>()((set) => ({
  login: "unknown",
  set: (login) => set({ login }),
}));

/** A request that never got an answer becomes `OfflineError`, whatever the browser calls it. */
async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (reason) {
    if (reason instanceof DOMException && reason.name === "AbortError") throw reason;
    throw new OfflineError();
  }
}

export const http = createClient<paths>({
  baseUrl: typeof location === "undefined" ? "http://localhost" : location.origin,
  credentials: "same-origin",
  fetch: reach,
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The answer's body, or the server's refusal as `ApiError`. */
export async function body<T>(pending: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await pending;
  if (response.status === 401) useLogin.getState().set("out");
  // A proxy that lost its server answers for it: the same to the person as no connection.
  if (response.status === 502 || response.status === 504) throw new OfflineError();
  if (data === undefined || !response.ok) throw errorFrom(response.status, error);
  return data;
}

export async function login(token: string): Promise<void> {
  await body(http.POST("/api/login", { body: { token } }));
  useLogin.getState().set("in");
}

export async function logout(): Promise<void> {
  await body(http.POST("/api/logout"));
  useLogin.getState().set("out");
}
