// The renderer of forms as we use it. `@getodk/web-forms` ships as readable text, so what it lacks is grafted in when the page is
// built: each graft names the text that it replaces, and the build fails where that text is not there (a newer version).
// What is put in comes from `src/fill/renderer/parts.ts`, for maps from `map-parts.ts` beside it.
import type { Plugin } from 'vite'

interface Graft {
  readonly find: string | RegExp
  readonly put: string
}

/** Of other widths it has its header alone. */
const usedNames = ['lg:inline', 'lg:hidden']

/** Of its styles 610 KB are fonts, and 270 of the rest are names for other widths and states that nothing of it has: each is a rule
 * that a browser reads and holds against every element. */
const styling: readonly Graft[] = [
  { find: /@font-face\s*\{[^}]*\}/g, put: '' },
  {
    find: /(?<=[{}])(?!\.lg\\\\:(?:inline|hidden)\s*\{)\.(?:sm|md|lg|xl|hover|focus|active)\\\\:[^{}]*\{[^}]*\}/g,
    put: '',
  },
]

/** Two calls of `eval` that are never made forbid to shorten names. Its own name stays as text. */
const slimming: readonly Graft[] = [
  { find: 'eval(func)', put: '(()=>{throw new Error("no eval")})()' },
  {
    find: /createElementVNode\("img", \{\s*class: "logo",\s*src: _imports_0,\s*alt: "ODK"\s*\}\)/g,
    put: 'createElementVNode("span", null, " ODK Web Forms")',
  },
]

/** A form that was filled in before goes on as the same instance; the engine can do that, the component does not ask it to.
 * Whoever shows the form is handed the engine's own tree, or why there is none. */
const restoring: readonly Graft[] = [
  {
    find: '}), loadFormState = async (eA, tA) => {',
    put: `}), loadFormState = async (eA, tA) => {
  const state = await loadFormStateAsShipped(eA, tA).catch((error) => failure(FormInitializationError.from(error)));
  tA.editInstance?.loaded?.(state);
  return state;
}, loadFormStateAsShipped = async (eA, tA) => {`,
  },
  { find: 'if (tA.editInstance == null)', put: 'if (tA.editInstance == null || tA.editInstance.kind === "new")' },
  {
    find: 'await AA.editInstance(rA, nA)',
    put: 'await (tA.editInstance.kind === "restore" ? AA.restoreInstance(tA.editInstance.input, nA) : AA.editInstance(rA, nA))',
  },
]

/** It hands out no answer of a question that is hidden: what is sent has none. Whoever is asked for all of it (`allOf`) has them. */
const hiding: readonly Graft[] = [
  {
    find: 'const [AA, nA] = tA;\n  return [createMemo(() => eA.isRelevant() ? AA() : ""), nA];',
    put: 'const [AA, nA] = tA;\n  eA.heldValue = () => untrack(AA);\n  return [createMemo(() => eA.isRelevant() ? AA() : ""), nA];',
  },
  {
    find: 'return eA.currentState.relevant ? serializeParentElementXML(',
    put: 'return sheaf.isWritten(eA) ? serializeParentElementXML(',
  },
  {
    find: 'if (!eA.currentState.relevant)\n        return "";\n      const AA = escapeXMLText(eA.currentState.instanceValue), nA',
    put: 'if (!sheaf.isWritten(eA))\n        return "";\n      const AA = escapeXMLText(sheaf.writtenValue(eA)), nA',
  },
  {
    find: 'const AA = escapeXMLText(eA.currentState.instanceValue, !0);',
    put: 'const AA = escapeXMLText(sheaf.writtenValue(eA), !0);',
  },
]

/** It throws away the entries of a repeat that are beyond its count, each time that the count is corrected (13 typed over 3 is 1 for a
 * moment). They are held now, as they are, and put back when the count grows; of a draft those that it brings are. */
const counting: readonly Graft[] = [
  {
    find: 'isInstanceCreation;\n  countControlType;',
    put: `isInstanceCreation;
  countControlType;
  heldEntries = [];
  remove() {
    this.heldEntries.forEach((entry) => entry.remove());
    super.remove();
  }
  holdFrom(count) {
    this.childrenState.setChildren((all) => {
      this.heldEntries = [...all.slice(count), ...this.heldEntries];
      return all.slice(0, count);
    });
  }
  putBack(count) {
    const back = this.heldEntries.slice(0, count);
    this.heldEntries = this.heldEntries.slice(count);
    if (back.length > 0) this.childrenState.setChildren((all) => [...all, ...back]);
    return back.length;
  }`,
  },
  {
    find: 'createComputed((aA = null) => {\n        const sA = aA ?? 0;',
    put: `if (!this.isInstanceCreation) this.heldEntries = this.createChildren(-1, oA);
      createComputed((aA = null) => {
        let sA = aA ?? 0;`,
  },
  {
    find: 'if (this.warnDroppedInstanceNodes(oA, aA, lA), lA > sA) {\n          const cA = lA - sA,',
    put: 'if (lA > sA) {\n          sA += this.putBack(lA - sA);\n          const cA = lA - sA,',
  },
  {
    find: 'const cA = sA - lA;\n          this.removeChildren(lA, cA);',
    put: 'this.holdFrom(lA);',
  },
  {
    find: 'return eA.currentState.children.map((AA) => AA.instanceState.instanceXML).join("");',
    put: 'return sheaf.entriesXml(eA);',
  },
  // What an entry begins with is set once: it may have been changed before the entry is put back.
  {
    find: 'createComputed(() => {\n    if (eA.isAttached()) {\n      if (!untrack(() => eA.isRelevant()))',
    put: `let isSet = !1;
  createComputed(() => {
    if (eA.isAttached() && !isSet) {
      isSet = !0;
      if (!untrack(() => eA.isRelevant()))`,
  },
]

const around = (part: string) => `(openBlock(), createElementBlock(Fragment, null, [
      createVNode(ControlText, { question: eA.question }, null, 8, ["question"]),
      createVNode(${part}, { question: eA.question }, null, 8, ["question"]),
      createVNode(ValidationMessage, { message: eA.question.validationState.violation?.message.formatted }, null, 8, ["message"])
    ], 64))`

/** Questions that it shows as a line of text, or not at all. */
const questions: readonly Graft[] = [
  {
    find: '(openBlock(), createElementBlock("p", null, "🚧 Support for non-image uploads is pending. 🚧"))',
    put: around('sheaf.FileControl'),
  },
  {
    find: 'eA.question.nodeOptions.media.type === "image" ?',
    put: 'eA.question.nodeOptions.media.type === "image" && !sheaf.isDrawn(eA.question) ?',
  },
  {
    find: '(openBlock(), createBlock(InputText, {\n          key: 8,',
    put: `sheaf.controlOf(eA.node) ? (openBlock(), createBlock(sheaf.controlOf(eA.node), { key: 9, question: eA.node }, null, 8, ["question"])) : (openBlock(), createBlock(InputText, {
          key: 8,`,
  },
]

/** What assistive technology needs: names for what has none, and keys for what only a mouse opens. */
const access: readonly Graft[] = [
  { find: 'id: eA.node.nodeId,\n      key: nA.value,', put: '"input-id": eA.node.nodeId,\n      key: nA.value,' },
  {
    find: 'modelValue: AA.value,\n      "onUpdate:modelValue": oA[0] || (oA[0] = (iA) => AA.value = iA),\n      "show-icon": "",',
    put: '"input-id": eA.question.nodeId,\n      modelValue: AA.value,\n      "onUpdate:modelValue": oA[0] || (oA[0] = (iA) => AA.value = iA),\n      "show-icon": "",',
  },
  {
    find: 'modelValue: nA.value,\n      "onUpdate:modelValue": oA[0] || (oA[0] = (iA) => nA.value = iA),\n      "time-only": "",\n      "hour-format": "12",',
    put: '"input-id": eA.question.nodeId,\n      modelValue: nA.value,\n      "onUpdate:modelValue": oA[0] || (oA[0] = (iA) => nA.value = iA),\n      "time-only": "",\n      "hour-format": sheaf.hourFormat(),',
  },
  {
    find: 'key: 0,\n      id: eA.node.nodeId,\n      required: eA.node.currentState.required,',
    put: 'key: 0,\n      "input-id": eA.node.nodeId,\n      required: eA.node.currentState.required,',
  },
  {
    find: 'id: eA.question.nodeId,\n      class: "dropdown",',
    put: 'id: eA.question.nodeId,\n      class: "dropdown",\n      "aria-label": eA.question.currentState.label?.asString,',
  },
  {
    find: 'class: "multi-select-dropdown",',
    put: 'class: "multi-select-dropdown",\n      "aria-label": eA.question.currentState.label?.asString,',
  },
  {
    find: 'createVNode(script$6, {\n          id: eA.node.nodeId,',
    put: 'createVNode(script$6, {\n          id: eA.node.nodeId,\n          "aria-label": eA.node.currentState.label?.asString,',
  },
  { find: '"aria-valuenow": eA.d_value,', put: '"aria-valuenow": eA.d_value ?? eA.min,' },
  { find: 'class: "button-menu",', put: 'class: "button-menu",\n            "aria-label": sheaf.say("more"),' },
  { find: 'class: "clear-button",', put: 'class: "clear-button",\n        "aria-label": sheaf.say("remove"),' },
  {
    find: 'role: "button",\n          onClick: oA[0] || (oA[0] = () => AA.value = !AA.value)',
    put: 'role: "button",\n          tabindex: "0",\n          "aria-expanded": !AA.value,\n          onClick: oA[0] || (oA[0] = () => AA.value = !AA.value),\n          onKeydown: oA[7] || (oA[7] = (event) => sheaf.onPress(event, () => AA.value = !AA.value))',
  },
  {
    find: 'key: 0,\n                  disabled: nA.value || pA === 0,',
    put: 'key: 0,\n                  "aria-label": sheaf.say("up"),\n                  disabled: nA.value || pA === 0,',
  },
  {
    find: 'key: 1,\n                  disabled: nA.value || pA === oA.value.length - 1,',
    put: 'key: 1,\n                  "aria-label": sheaf.say("down"),\n                  disabled: nA.value || pA === oA.value.length - 1,',
  },
  {
    find: 'class: "close-icon",\n            onClick: IA[0]',
    put: 'class: "close-icon",\n            "aria-label": sheaf.say("cancel"),\n            onClick: IA[0]',
  },
]

/** What is not sent for a mistake leads to the top of the page, however far from there the mistake is. */
const leading: readonly Graft[] = [
  { find: 'document.scrollingElement?.scrollTo(0, 0)', put: 'sheaf.leadTo(SA.validationState.violations)' },
]

/** It speaks English alone. */
const words: readonly (readonly [string, string])[] = [
  ['label: "Send",', 'label: sheaf.say("send"),'],
  ['label: "Remove",', 'label: sheaf.say("remove"),'],
  ['createTextVNode(" Add ", -1)', 'createTextVNode(sheaf.say("add") + " ", -1)'],
  ['" Okay "', 'sheaf.say("okay")'],
  ['"Take picture"', 'sheaf.say("takePicture")'],
  ['"Choose image"', 'sheaf.say("choosePicture")'],
  ['"Get location"', 'sheaf.say("getLocation")'],
  ['"Try again"', 'sheaf.say("tryAgain")'],
  ['"Cannot access location"', 'sheaf.say("noLocation")'],
  [
    '"Grant location permission in the browser settings and make sure location is turned on."',
    'sheaf.say("noLocationAbout")',
  ],
  ['"Finding your location"', 'sheaf.say("locating")'],
  ['label: "Cancel",', 'label: sheaf.say("cancel"),'],
  ['label: "Save location",', 'label: sheaf.say("saveLocation"),'],
  ['"Time taken to capture location: "', 'sheaf.say("locationTime") + " "'],
  ['" Location will be saved at " + ', 'sheaf.say("locationAt") + " " + '],
  ['" Previous saved location at " + ', 'sheaf.say("locationBefore") + " " + '],
  ['"Rank items"', 'sheaf.say("rank")'],
  ['literal: "Repeat Item"', 'literal: sheaf.say("entry")'],
  ['"aria-label": "change language"', '"aria-label": sheaf.say("changeLanguage")'],
  ['alt: "Captured image preview"', 'alt: sheaf.say("picture")'],
  ['" Unable to load map "', 'sheaf.say("noMap")'],
  [
    'constraintMsg: "Condition not satisfied: constraint",\n  requiredMsg: "Condition not satisfied: required"',
    'get constraintMsg() { return sheaf.say("notValid") },\n  get requiredMsg() { return sheaf.say("isRequired") }',
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the renderer's own text.
  ['QA === 1 ? "1 question with error." : `${QA} questions with errors.`', 'sheaf.sayFaults(QA)'],
  [
    '"Location unavailable. Enable GPS and browser permissions, then restart the form to try again."',
    'sheaf.say("noLocationAbout")',
  ],
  ['"An error occurred while loading this form"', 'sheaf.say("formFault")'],
  ['"Technical error details"', 'sheaf.say("details")'],
  ['"Accuracy: "', 'sheaf.say("accuracy") + " "'],
  ['"Latitude: "', 'sheaf.say("latitude") + " "'],
  ['"Longitude: "', 'sheaf.say("longitude") + " "'],
  ['label: "Change language",', 'label: sheaf.say("changeLanguage"),'],
  [
    '[GEOPOINT_ACCURACY_QUALITY.GOOD]: "Good accuracy",\n  [GEOPOINT_ACCURACY_QUALITY.ACCEPTABLE]: "Good accuracy",\n  [GEOPOINT_ACCURACY_QUALITY.POOR]: "Poor accuracy",\n  [GEOPOINT_ACCURACY_QUALITY.UNKNOWN]: "Unknown accuracy"',
    'get [GEOPOINT_ACCURACY_QUALITY.GOOD]() { return sheaf.say("goodAccuracy") },\n  get [GEOPOINT_ACCURACY_QUALITY.ACCEPTABLE]() { return sheaf.say("goodAccuracy") },\n  get [GEOPOINT_ACCURACY_QUALITY.POOR]() { return sheaf.say("poorAccuracy") },\n  get [GEOPOINT_ACCURACY_QUALITY.UNKNOWN]() { return sheaf.say("unknownAccuracy") }',
  ],
  ['emptyMessage: "No available options",', 'get emptyMessage() { return sheaf.say("noOptions") },'],
  ['emptyFilterMessage: "No results found",', 'get emptyFilterMessage() { return sheaf.say("noResults") },'],
  ['emptySearchMessage: "No results found",', 'get emptySearchMessage() { return sheaf.say("noResults") },'],
]

/** What its maps say: the text, and the key of ours. Each stands in quotation marks, in places that are shown alone. */
const mapWords: readonly (readonly [string, string])[] = [
  ['Zoom in', 'zoomIn'],
  ['Zoom out', 'zoomOut'],
  ['Reset rotation', 'resetRotation'],
  ['Attributions', 'sources'],
  ['Capturing location...', 'locating'],
  ['Delete entire shape?', 'deleteShape'],
  ['Delete entire trace?', 'deleteTrace'],
  ['Point saved', 'pointSaved'],
  ['Trace saved', 'traceSaved'],
  ['Shape saved', 'shapeSaved'],
  ['Feature saved', 'featureSaved'],
  ['No point saved', 'noPoint'],
  ['No trace saved', 'noTrace'],
  ['No shape saved', 'noShape'],
  ['Press and drag to move a point', 'pressToMove'],
  ['Tap to move point', 'tapToMove'],
  ['Use the location button to center on your current location', 'useButton'],
  ['Remove point', 'removePoint'],
  ['Remove selection', 'removeChoice'],
  ['Save selected', 'saveChoice'],
  ['View details', 'viewDetails'],
  ['Graphics issue detected', 'noGraphics'],
  ['Your browser cannot display the map now. Enable graphics acceleration settings.', 'noGraphicsAbout'],
  ['Import data to replace location', 'import'],
  ['Paste data in ODK format', 'paste'],
  ['Enter as: Lat Long Alt Acc (e.g. 45.5 -122.6 15 2; 45.6 -122.7 12 3)', 'pasteHint'],
  ['Upload a GeoJSON file', 'upload'],
  ['Upload file', 'chooseFile'],
  ['File is empty.', 'fileEmpty'],
  ['Unsupported file type. Please upload a .geojson file.', 'fileOther'],
  ['Failed to parse file. Ensure it is a valid GeoJSON.', 'fileBroken'],
  ['Incorrect geometry type.', 'otherGeometry'],
]

/** Pictures of maps come from where the settings of the server say, or from nowhere. */
const mapGrafts: readonly Graft[] = [
  {
    find: 'e.url !== void 0 ? e.url : "https://tile.openstreetmap.org/{z}/{x}/{y}.png"',
    put: 'e.url !== void 0 ? e.url : sheaf.tilesUrl()',
  },
  {
    find: `'&#169; <a href="https://www.openstreetmap.org/copyright" target="_blank">OpenStreetMap</a> contributors.'`,
    put: 'sheaf.tilesAttribution()',
  },
  { find: '"Get location"', put: 'sheaf.say("getLocation")' },
  { find: '"Cannot access location"', put: 'sheaf.say("noLocation")' },
  { find: 'title: "Full Screen"', put: 'title: sheaf.say("fullScreen")' },
  { find: 'title: "Zoom to fit"', put: 'title: sheaf.say("zoomToFit")' },
  { find: 'title: "Zoom to current location"', put: 'title: sheaf.say("zoomToMe")' },
  { find: 'title: "Delete"', put: 'title: sheaf.say("remove")' },
  { find: 'title: "Undo last change"', put: 'title: sheaf.say("undo")' },
  { find: '"Tap to place a point"', put: 'sheaf.say("tapToPlace")' },
  {
    find: '"Grant location permission in the browser settings and make sure location is turned on."',
    put: 'sheaf.say("noLocationAbout")',
  },
  { find: 'label: "Delete"', put: 'label: sheaf.sayOfMap("delete")' },
  { find: 'label: "Save"', put: 'label: sheaf.sayOfMap("save")' },
  { find: '{ class: "mobile-only" }, "Remove"', put: '{ class: "mobile-only" }, sheaf.say("remove")' },
  { find: 'N("span", null, "Advanced"', put: 'N("span", null, sheaf.sayOfMap("advanced")' },
  ...mapWords.map(([find, key]) => ({ find: `"${find}"`, put: `sheaf.sayOfMap("${key}")` })),
]

const grafts: readonly Graft[] = [
  ...slimming,
  ...restoring,
  ...hiding,
  ...counting,
  ...questions,
  ...access,
  ...leading,
  ...words.map(([find, put]) => ({ find, put })),
]

const graft = (code: string, wanted: readonly Graft[], name: string): string =>
  wanted.reduce((text, { find, put }) => {
    const made = typeof find === 'string' ? text.replaceAll(find, () => put) : text.replace(find, () => put)
    if (made === text) throw new Error(`${name} has no longer: ${find}`)
    return made
  }, code)

/** A newer version may use one that was cut. */
const refuseCutNames = (code: string, name: string): void => {
  for (const [, words = ''] of code.matchAll(/class: "([^"]*)"/g)) {
    const cut = words
      .split(' ')
      .find((word) => /^(?:sm|md|lg|xl|hover|focus|active):/.test(word) && !usedNames.includes(word))
    if (cut !== undefined) throw new Error(`${name} uses ${cut}, whose rule is cut`)
  }
}

export const renderer = (): Plugin => ({
  name: 'renderer-of-forms',
  enforce: 'pre',
  transform(code, id) {
    const [, file] = /\/@getodk\/web-forms\/dist\/([^/?]+)/.exec(id) ?? []
    if (file === undefined) return undefined
    refuseCutNames(code, file)
    const isMap = file.startsWith('MapBlock')
    const imported = `import * as sheaf from '@/fill/renderer/${isMap ? 'map-parts' : 'parts'}'\n`
    if (file === 'index.js') return { code: graft(code, styling, file), map: null }
    return { code: imported + graft(code, isMap ? mapGrafts : grafts, file), map: null }
  },
})
