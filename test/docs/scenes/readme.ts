import { serveHero } from "./shared.js";

serveHero();
