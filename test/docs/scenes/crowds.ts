import { fox } from "./shared.js";

export const data = fox();
