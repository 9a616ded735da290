declare module "*.atlas" {
  const text: string;
  export default text;
}
declare module "*/fennel.json" {
  const value: object;
  export default value;
}
