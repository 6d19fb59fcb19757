export const language = "en";
