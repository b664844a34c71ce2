// The engine's XPath parser is compiled to WebAssembly, whose loader asks for CommonJS names when it runs in Node.
Object.assign(globalThis, { __dirname: import.meta.dirname, __filename: import.meta.filename })
