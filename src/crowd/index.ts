/** Thousands of characters at once. Entry `osteon/crowd`. */
export {};
