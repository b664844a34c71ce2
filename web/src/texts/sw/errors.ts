import { translation } from '../catalogue'
import type en from '../en/errors'

export default translation<typeof en>({
  offline: 'Seva haipatikani. Hakuna kilichopotea; jaribu tena muunganisho ukirudi.',
  offlineUnsure:
    'Muunganisho ulikatika kabla seva haijajibu. Haijulikani kama hili lilifanyika: angalia kabla ya kujaribu tena.',
  slow: 'Seva imechukua muda mrefu kujibu. Jaribu tena baada ya muda mfupi.',
  slowUnsure: 'Seva haikujibu kwa wakati. Haijulikani kama hili lilifanyika: angalia kabla ya kujaribu tena.',
  expired: 'Hujaingia tena.',
  forbidden: 'Huruhusiwi kufanya hivi hapa.',
  missing: 'Hiki hakipo, au hakijashirikiwa nawe.',
  invalid: 'Kitu fulani kilichotumwa si sahihi.',
  conflict: 'Mtu mwingine amebadilisha hiki wakati huo. Pakia tena uone kilichopo sasa.',
  'too-large': 'Hiki ni kikubwa kuliko seva inavyopokea.',
  busy: 'Seva ina shughuli nyingi. Jaribu tena baada ya muda mfupi.',
  broken: 'Kuna hitilafu kwenye seva. Si kosa lako; jaribu tena baada ya muda mfupi.',
})
