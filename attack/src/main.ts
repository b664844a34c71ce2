import { readDescription } from './description.js'
import { Findings } from './findings.js'
import { Context } from './part.js'
import { chanceOf } from './random.js'
import { ownRoles } from './parts/roles.js'
import { bodies } from './parts/bodies.js'
import { protocol } from './parts/protocol.js'
import { mails } from './parts/mails.js'
import { growth } from './parts/growth.js'
import { slow } from './parts/slow.js'
import { crossSite } from './parts/cross-site.js'
import { foreign } from './parts/foreign.js'
const parts = [slow, crossSite, growth, foreign, ownRoles, bodies, protocol, mails].filter((p) => p.name === process.argv[2])
const findings = new Findings()
for (const part of parts) {
  const context = new Context({ part: part.name, chance: chanceOf(1), seconds: Number(process.argv[3] ?? 60), findings, say: () => undefined, describe: readDescription })
  try {
    console.log(await part.run(context))
  } finally {
    await context.stop()
  }
  console.log(context.requests, context.longestStall)
}
for (const f of findings.all) { console.log('##', f.part, '|', f.what); for (const [p, c] of f.places) console.log('  -', p, c.count, '\n      ', c.example.slice(0, 420), '\n      ', c.repeat.slice(0, 400)) }
