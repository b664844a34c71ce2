#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs'
import { run } from '../dist/cli.js'

process.exitCode = run(process.argv.slice(2), {
  readFile: (path) => readFileSync(path === '-' ? 0 : path),
  writeFile: (path, content) => writeFileSync(path, content),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
