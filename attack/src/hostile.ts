// What people who mean harm put where a value is expected.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { boundary, multipartType } from './world/multipart.js'

export interface HostileBody {
  readonly name: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly recipe?: string
}

/** In a path: escaped already. */
export const hostileSegments: readonly string[] = [
  '%00',
  '1%00',
  '%ff',
  '%ed%a0%80',
  '%E0%A4%A',
  '%F0%9F%92%A3',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '..%2f..%2f..%2fetc%2fpasswd',
  '..%5c..%5cwindows',
  '%2e%2e',
  '.',
  '%0d%0aSet-Cookie:%20a=b',
  '-1',
  '0',
  '1e309',
  'NaN',
  '0x10',
  '1.5',
  '2147483648',
  '9223372036854775808',
  '99999999999999999999999999',
  "'",
  '%22',
  '1;select%20pg_sleep(9)',
  '1%20or%201=1',
  '*',
  '%25',
  '%20',
  '%3Cscript%3E',
  'a'.repeat(450),
  '%F0%9F%92%A3'.repeat(60),
  '1.json',
  '1.csv.zip',
  '.json',
  '1.__proto__',
  'null',
  'undefined',
]

const deep = (levels: number): unknown => {
  let value: unknown = 'x'
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** In a field of JSON. */
export const hostileValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  -1e-320,
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\u202e\u0000\u0007',
  '__proto__',
  'constructor',
  'toString',
  '../../../etc/passwd',
  'a\r\nX-Injected: yes',
  '<script>alert(1)</script>',
  "'; drop table users; --",
  '$(id)',
  '{{7*7}}',
  '%s%s%n',
  'https://[::1',
  'http://evil.example\\@127.0.0.1/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '99999999999999999999999999',
  '1e309',
  'NaN',
  'a'.repeat(70_000),
  '💣'.repeat(5000),
  [],
  {},
  [null],
  [[[[]]]],
  { a: 1 },
  JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {"x": 1}}}'),
  { toString: 'x', valueOf: 1, length: -1 },
  ['a'.repeat(1000), 1, null, {}],
  Array.from({ length: 5000 }, (_, number) => number),
  deep(60),
  '2026-02-30',
  '2026-13-45T99:99:99Z',
  '-9999-01-01',
  '[1, 2',
  '{"$gt": {"$gt": 1}}',
  '{"$where": "1"}',
  '{"__proto__": 1}',
  '(((((((((((',
]

const text = (value: string) => Buffer.from(value, 'utf8')
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

/** In place of a whole body, whatever is expected. */
export const hostileBodies: readonly HostileBody[] = [
  { name: 'nothing', type: json, body: text('') },
  { name: 'half of it', type: json, body: text('{"name": "x') },
  { name: 'null', type: json, body: text('null') },
  { name: 'a number', type: json, body: text('1e999') },
  { name: 'a list', type: json, body: text('[1,2,3]') },
  { name: 'a list of objects', type: json, body: text('[{"instance":1},{"__proto__":1},null]') },
  {
    name: 'keys of objects',
    type: json,
    body: text('{"__proto__":{"a":1},"constructor":{"prototype":1},"toString":"x"}'),
  },
  { name: 'the same key twice', type: json, body: text('{"name":"a","name":["b"],"role":"readonly","role":"owner"}') },
  { name: 'a key with NUL', type: json, body: text('{"na\\u0000me":"x","\\u0000":1}') },
  { name: 'half a surrogate', type: json, body: text('{"name":"\\ud800","title":"\\udc00x"}') },
  {
    name: 'broken UTF-8',
    type: json,
    body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
  },
  { name: 'UTF-16', type: `${json}; charset=utf-16`, body: Buffer.from('{"name":"x"}', 'utf16le') },
  { name: 'a mark of byte order', type: json, body: text('\ufeff{"name":"x"}') },
  { name: 'deep lists', type: json, body: text('['.repeat(100_000)), recipe: "'['.repeat(1e5)" },
  { name: 'deep objects', type: json, body: text('{"a":'.repeat(50_000)), recipe: `'{"a":'.repeat(5e4)` },
  {
    name: 'a deep whole',
    type: json,
    body: text(`${'['.repeat(5000)}${']'.repeat(5000)}`),
    recipe: "'['.repeat(5e3)+']'.repeat(5e3)",
  },
  {
    name: 'many keys',
    type: json,
    body: text(`{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(',')}}`),
    recipe: `'{'+Array.from({length:2e4},(_, n)=>'"k'+n+'":1').join(',')+'}'`,
  },
  {
    name: 'many fields',
    type: form,
    body: text(Array.from({ length: 20_000 }, (_, n) => `k${n}=1`).join('&')),
    recipe: `Array.from({length:2e4},(_, n)=>'k'+n+'=1').join('&')`,
  },
  { name: 'one field often', type: form, body: text('name=x&'.repeat(20_000)), recipe: `'name=x&'.repeat(2e4)` },
  { name: 'keys in brackets', type: form, body: text('a[__proto__][b]=1&name[]=x&name[0][0]=y&role[$ne]=x') },
  { name: 'broken escapes', type: form, body: text('name=%&a=%zz&b=%00&c=%ff%fe&%=1') },
  { name: 'a type that nobody knows', type: 'application/x-unknown', body: text('x') },
  { name: 'a type that is none', type: ';;;', body: text('x') },
  { name: 'XML for JSON', type: 'application/xml', body: text('<a/>') },
  { name: 'multipart without a boundary', type: 'multipart/form-data', body: text('x') },
  {
    name: 'multipart that does not end',
    type: multipartType,
    body: text(`--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nx`),
  },
  { name: 'multipart without names', type: multipartType, body: text(`--${boundary}\r\n\r\nx\r\n--${boundary}--\r\n`) },
  {
    name: 'multipart with odd names',
    type: multipartType,
    body: text(
      `--${boundary}\r\nContent-Disposition: form-data; name="__proto__"; filename="../../x\0.csv"\r\nContent-Type: \0\r\n\r\nx\r\n--${boundary}--\r\n`,
    ),
  },
  {
    name: 'many parts',
    type: multipartType,
    body: text(`--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n`.repeat(5000)),
    recipe: `('--${boundary}\\r\\nContent-Disposition: form-data; name="a"\\r\\n\\r\\nx\\r\\n').repeat(5e3)`,
  },
  {
    name: 'many headers of a part',
    type: multipartType,
    body: text(`--${boundary}\r\n${'X-A: b\r\n'.repeat(20_000)}\r\nx\r\n--${boundary}--\r\n`),
    recipe: `'--${boundary}\\r\\n'+'X-A: b\\r\\n'.repeat(2e4)+'\\r\\nx\\r\\n--${boundary}--\\r\\n'`,
  },
  { name: 'a long boundary', type: `multipart/form-data; boundary=${'b'.repeat(5000)}`, body: text('x') },
  { name: 'gzip', type: json, headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(5_000_000, 0x20)) },
  {
    name: 'deflate',
    type: json,
    headers: { 'content-encoding': 'deflate' },
    body: deflateSync(Buffer.alloc(1_000_000, 0x5b)),
  },
  {
    name: 'brotli',
    type: json,
    headers: { 'content-encoding': 'br' },
    body: brotliCompressSync(Buffer.alloc(1_000_000, 0x20)),
  },
  { name: 'an encoding that nobody knows', type: json, headers: { 'content-encoding': 'x, y, z' }, body: text('{}') },
]

const entities = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')

/** In place of a submission. */
export const hostileXml: readonly { name: string; xml: string | Buffer }[] = [
  { name: 'a bomb of entities', xml: `<!DOCTYPE data [<!ENTITY e0 "x">${entities}]><data id="f">&e12;</data>` },
  {
    name: 'an entity of a file',
    xml: '<!DOCTYPE data [<!ENTITY x SYSTEM "file:///etc/passwd">]><data id="f"><name>&x;</name></data>',
  },
  { name: 'an entity of an address', xml: '<!DOCTYPE data SYSTEM "http://127.0.0.1:9/x.dtd"><data id="f"/>' },
  { name: 'nothing', xml: '' },
  { name: 'half an element', xml: '<data id="f"><name>x</na' },
  { name: 'no root', xml: '<!-- x -->' },
  { name: 'two roots', xml: '<data id="f"/><data id="f"/>' },
  { name: 'NUL', xml: '<data id="f"><name>a\0b</name></data>' },
  { name: 'NUL as a reference', xml: '<data id="f"><name>&#0;&#xD800;&#x110000;</name></data>' },
  { name: 'NUL in the id', xml: '<data id="f&#0;"/>' },
  {
    name: 'broken UTF-8',
    xml: Buffer.concat([
      Buffer.from('<data id="f"><name>'),
      Buffer.from([0xff, 0xfe, 0xc3, 0x28]),
      Buffer.from('</name></data>'),
    ]),
  },
  { name: 'UTF-16', xml: Buffer.from('<?xml version="1.0" encoding="UTF-16"?><data id="f"/>', 'utf16le') },
  {
    name: 'names of objects',
    xml: '<data id="f"><__proto__>x</__proto__><constructor>y</constructor><toString>z</toString><hasOwnProperty/></data>',
  },
  { name: 'an id of objects', xml: '<data id="__proto__"><name>x</name></data>' },
  { name: 'a root of objects', xml: '<__proto__ id="f"/>' },
  { name: 'deep', xml: `<data id="f">${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}</data>` },
  { name: 'many attributes', xml: `<data id="f" ${Array.from({ length: 20_000 }, (_, n) => `a${n}="1"`).join(' ')}/>` },
  { name: 'an attribute twice', xml: '<data id="f" id="g"/>' },
  { name: 'prefixes that nobody declared', xml: '<data id="f"><a:b c:d="e"/></data>' },
  { name: 'comments', xml: `<data id="f">${'<!--x-->'.repeat(50_000)}</data>` },
  { name: 'instructions', xml: `<data id="f">${'<?x y?>'.repeat(50_000)}</data>` },
  {
    name: 'a long instance id',
    xml: `<data id="f"><meta><instanceID>uuid:${'a'.repeat(100_000)}</instanceID></meta></data>`,
  },
  {
    name: 'traversal as a file',
    xml: '<data id="f"><photo>../../../../etc/passwd</photo><paper>\\..\\x</paper></data>',
  },
]
