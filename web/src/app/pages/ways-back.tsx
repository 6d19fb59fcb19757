import { useSearch } from "@tanstack/react-router";
import { WaysBackPage } from "@/features/ways-back/ways-back-page";

export function WaysBack() {
  return <WaysBackPage project={useSearch({ from: "/ways-back" }).project} />;
}
