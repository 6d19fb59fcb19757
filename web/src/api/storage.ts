/** The browser's storage, where it exists and has room: a private window or a full disk must not break the page. */
export interface Shelf {
  read(key: string): string | null;
  write(key: string, value: string | null): void;
}

export const shelf: Shelf = {
  read(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  write(key, value) {
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // Kept in memory by whoever asked; there is nowhere else to put it.
    }
  },
};
