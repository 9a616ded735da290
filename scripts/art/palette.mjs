// The two looks: Ember wears fox red, teal and a scarlet scarf; Frost is a snow fox in plum and gold.

export const EMBER = {
  name: "ember",
  fur: "#ef9f4a", furTop: "#f8bb62", furShade: "#c96f35", furLight: "#ffd58f", outline: "#5a2a26",
  cream: "#fff3df", creamShade: "#ecc9a5", earInner: "#7d3a35", earInnerLight: "#e08f6e", earTip: "#6b3330",
  hair: "#a9442c", hairTop: "#d9693a", hairShade: "#7c2c26", hairLight: "#f59a5a",
  eye: "#3b1f2b", eyeGlow: "#c8702f", blush: "#f2795f", nose: "#4a2328",
  coat: "#2d7f88", coatTop: "#3fa3a0", coatShade: "#1c5566", coatLight: "#7bd0bd", coatOutline: "#173a4c",
  trim: "#ffe2a8", trimShade: "#dca868", button: "#f7c357",
  trousers: "#5b4a66", trousersShade: "#3d3149", trousersLight: "#84709a", trousersOutline: "#2c2238",
  boot: "#8a4a2e", bootTop: "#a9633a", bootShade: "#5e2f22", bootLight: "#d18c56", bootOutline: "#3c1d1b", sole: "#f0d2a2",
  scarf: "#e0432f", scarfTop: "#f26a3f", scarfShade: "#a92a34", scarfLight: "#ff9a6b", scarfOutline: "#66182a",
  bag: "#b3763f", bagTop: "#cf9652", bagShade: "#7d4c2b", bagLight: "#eec27f", bagOutline: "#4a2a1e",
};

export const FROST = {
  name: "frost",
  fur: "#b4c6e6", furTop: "#dbe6f7", furShade: "#869dcc", furLight: "#ffffff", outline: "#3b4474",
  cream: "#ffffff", creamShade: "#c9d5ea", earInner: "#8b6fa8", earInnerLight: "#f2b3c8", earTip: "#5b6cae",
  hair: "#5563ad", hairTop: "#7d93dc", hairShade: "#3d4689", hairLight: "#b4c8ff",
  eye: "#25285a", eyeGlow: "#4fa9e6", blush: "#f29ab4", nose: "#3a3d6b",
  coat: "#7a4a9b", coatTop: "#9a66bb", coatShade: "#553079", coatLight: "#c99be0", coatOutline: "#341d52",
  trim: "#ffffff", trimShade: "#c4d2ea", button: "#ffd25e",
  trousers: "#44608c", trousersShade: "#2f4469", trousersLight: "#6f8fbe", trousersOutline: "#1f2d4a",
  boot: "#3f4f7d", bootTop: "#566aa0", bootShade: "#2a3560", bootLight: "#8ea4d8", bootOutline: "#1c2346", sole: "#e8eefa",
  scarf: "#f4b92e", scarfTop: "#ffd85f", scarfShade: "#cf8420", scarfLight: "#fff0a8", scarfOutline: "#74430f",
  bag: "#4d8fb3", bagTop: "#6fb6cf", bagShade: "#316586", bagLight: "#aee3ee", bagOutline: "#1e3f5c",
};
