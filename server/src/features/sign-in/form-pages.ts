// Plain forms: labels, hints and faults that a screen reader finds, no script, usable with a thumb.
import { escapeHtml, type FieldErrors, page } from '../../platform/http/index.js'

const style = `
  form p { margin: 0 0 1.25rem } label, legend { display: block; font-weight: 600; margin-bottom: .25rem }
  fieldset { border: 0; padding: 0; margin: 0 0 1.25rem } legend { padding: 0 }
  fieldset label { display: flex; gap: .625rem; align-items: baseline; font-weight: 400; padding: .375rem 0 }
  input[type=radio] { accent-color: var(--accent); margin: 0 }
  input:not([type=radio]), textarea { box-sizing: border-box; width: 100%; padding: .625rem .75rem; font: inherit;
    color: inherit; background: var(--card); border: 1px solid var(--field); border-radius: .5rem }
  input:focus-visible, textarea:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid var(--accent);
    outline-offset: 2px }
  button, .button { display: inline-block; min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600;
    color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .5rem; cursor: pointer;
    text-decoration: none; box-sizing: border-box }
  .quiet { color: var(--accent); background: transparent } .actions { display: flex; flex-wrap: wrap; gap: .75rem }
  .hint { display: block; font-size: .9375rem; color: var(--soft) } .fault { display: block; color: var(--fault); font-weight: 600 }
  .notice { padding: .75rem 1rem; border: 1px solid var(--line); border-left: .25rem solid var(--accent); border-radius: .5rem }
  .bad { border-left-color: var(--fault) } code { overflow-wrap: anywhere } dt { font-weight: 600 } dd { margin: 0 0 .75rem }
  nav { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; margin-bottom: 1.5rem }
  nav form { margin: 0 } nav button { min-height: 0; padding: 0; border: 0; font-weight: 400; text-decoration: underline }
  li form { display: inline }`

export const formPage = (title: string, body: string): string => page(title, body, style)

export const hiddenFields = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('\n')

export interface Field {
  name: string
  label: string
  hint?: string
  value?: string
  faults?: FieldErrors
  /** Attributes of the input, from this program only. */
  attributes: string
  isLong?: boolean
}

export const faultsOf = (faults: FieldErrors | undefined, name: string): string =>
  [faults?.[name] ?? []].flat().join(' ')

/** A label, its input, and what was wrong with it. */
export const field = ({ name, label, hint, value = '', faults, attributes, isLong = false }: Field): string => {
  const fault = faultsOf(faults, name)
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ')
  const shared = `id="${name}" name="${name}" ${attributes}${described && ` aria-describedby="${described}"`}${fault && ' aria-invalid="true"'}`
  return `<p><label for="${name}">${escapeHtml(label)}</label>
${hint ? `<span class="hint" id="${name}-hint">${escapeHtml(hint)}</span>` : ''}
${isLong ? `<textarea ${shared}>${escapeHtml(value)}</textarea>` : `<input ${shared} value="${escapeHtml(value)}">`}
${fault ? `<span class="fault" id="${name}-fault">${escapeHtml(fault)}</span>` : ''}</p>`
}

/** What was wrong as a whole; read out when the page opens. */
export const problem = (text: string): string =>
  text === '' ? '' : `<p class="notice bad" role="alert">${escapeHtml(text)}</p>`
