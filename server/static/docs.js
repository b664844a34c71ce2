// The "try" forms and the filter of the documentation. Everything else on its pages is plain HTML.
const store = {
  get: (name) => sessionStorage.getItem(`sheaf-docs:${name}`) ?? '',
  set: (name, value) => sessionStorage.setItem(`sheaf-docs:${name}`, value),
}

/** What belongs to a form is addressed by the form's id. */
const family = { data: 'forms', charts: 'forms', stats: 'forms', export: 'export' }
const kindOf = (resource) => family[resource] ?? resource

const idOf = (one) => one?.formid ?? one?.projectid ?? one?.teamid ?? one?.org ?? one?.id ?? one?.username ?? one?._id

/** The next form that needs an id has the one that was answered last. */
const remember = (path, answer) => {
  const id = idOf(Array.isArray(answer) ? answer[0] : answer)
  const [, resource] = /^\/api\/v1\/([^/]+)$/.exec(path) ?? []
  if (id === undefined || resource === undefined) return
  store.set(kindOf(resource), String(id))
  fillIds()
}

const fillIds = () => {
  for (const input of document.querySelectorAll('input[data-of]')) {
    const known = store.get(kindOf(input.dataset.of))
    if (known !== '') input.value = known
  }
}

const authorization = () => {
  const [name, secret] = [store.get('name'), store.get('secret')]
  if (secret === '') return {}
  const bytes = new TextEncoder().encode(`${name}:${secret}`)
  const basic = () => `Basic ${btoa(String.fromCharCode(...bytes))}`
  return { authorization: name === '' ? `Token ${secret}` : basic() }
}

const bodyOf = (form) => {
  const shown = [...form.querySelectorAll('[data-encoding]')].find((one) => !one.hidden)
  if (shown === undefined) return {}
  if (shown.dataset.encoding === 'application/json') {
    return { body: shown.querySelector('textarea').value, type: 'application/json' }
  }
  const body = new FormData()
  for (const input of shown.querySelectorAll('input')) {
    if (input.type === 'file') for (const file of input.files) body.append(input.name, file)
    else if (input.value !== '') body.append(input.name, input.value)
  }
  return { body }
}

const addressOf = (form) => {
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const input of form.querySelectorAll('input[data-in]')) {
    if (input.dataset.in === 'path') path = path.replace(`{${input.name}}`, encodeURIComponent(input.value))
    else if (input.value !== '') query.append(input.name, input.value)
  }
  return { path, query: query.size === 0 ? '' : `?${query}` }
}

const shownBody = async (response) => {
  const type = response.headers.get('content-type') ?? ''
  if (/json/.test(type)) {
    const value = await response.json()
    return { value, text: JSON.stringify(value, null, 2) }
  }
  if (/^text\/|xml/.test(type)) return { text: await response.text() }
  const bytes = (await response.arrayBuffer()).byteLength
  return { text: bytes === 0 ? '' : `${bytes} bytes of ${type || 'no type'}` }
}

/** Longer answers are read with a program. */
const longestShown = 100_000

const send = async (form) => {
  const output = form.querySelector('.answer')
  const { path, query } = addressOf(form)
  const { body, type } = bodyOf(form)
  const status = document.createElement('strong')
  const text = document.createElement('pre')
  output.replaceChildren(status)
  status.textContent = '…'
  try {
    const response = await fetch(path + query, {
      method: form.dataset.method,
      headers: {
        ...authorization(),
        ...(type && { 'content-type': type }),
        ...(form.dataset.accept && { accept: form.dataset.accept }),
      },
      ...(body !== undefined && { body }),
      credentials: 'omit',
    })
    const shown = await shownBody(response)
    status.textContent = `${response.status} ${response.statusText}`
    status.className = response.ok ? 'good' : 'bad'
    text.textContent = shown.text.slice(0, longestShown)
    if (shown.text !== '') output.append(text)
    if (response.ok && shown.value !== undefined) remember(path, shown.value)
  } catch (error) {
    status.textContent = `The request failed: ${error.message}`
    status.className = 'bad'
  }
}

document.addEventListener('submit', (event) => {
  event.preventDefault()
  const form = event.target
  if (form.matches('.try')) return void send(form)
  for (const input of form.querySelectorAll('input')) store.set(input.name, input.value)
  showCaller()
})

document.addEventListener('change', ({ target }) => {
  if (!target.matches('select.encoding')) return
  for (const part of target.form.querySelectorAll('[data-encoding]'))
    part.hidden = part.dataset.encoding !== target.value
})

const showCaller = () => {
  const form = document.querySelector('.sign-in form')
  if (form === null) return
  for (const input of form.querySelectorAll('input')) input.value = store.get(input.name)
  const who = store.get('name') || (store.get('secret') === '' ? 'nobody' : 'the owner of the token')
  document.querySelector('.sign-in output').textContent = `calls are made as ${who}`
}

/** A link to an operation opens it. */
const openNamed = () => {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!named?.matches('details')) return
  named.open = true
  named.scrollIntoView()
}

/** Whoever copies the address of the page leads others to what is open. */
for (const operation of document.querySelectorAll('details.operation')) {
  operation.addEventListener('toggle', () => {
    if (operation.open) history.replaceState(null, '', `#${operation.id}`)
  })
}

for (const sample of document.querySelectorAll('pre.curl')) {
  sample.textContent = sample.textContent.replace('https://forms.example.org', location.origin)
}

const filter = document.querySelector('input.filter')
const find = () => {
  const words = filter.value.toLowerCase().split(/\s+/)
  for (const item of document.querySelectorAll('.list li')) {
    item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word))
  }
  for (const group of document.querySelectorAll('section')) {
    group.hidden = group.querySelector('li:not([hidden])') === null
    group.querySelector('details').open = filter.value.trim() !== ''
  }
  document.querySelector('.nothing').hidden = document.querySelector('section:not([hidden])') !== null
}
filter?.addEventListener('input', find)

// As in other places where one looks for something: a slash goes there, from any page.
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return
  event.preventDefault()
  if (filter === null) location.assign('/api/v1/docs?find')
  else filter.focus()
})

if (filter !== null && location.search === '?find') filter.focus()
addEventListener('hashchange', openNamed)
openNamed()
showCaller()
fillIds()
// A browser fills the field again when somebody comes back.
if (filter !== null && filter.value !== '') find()
