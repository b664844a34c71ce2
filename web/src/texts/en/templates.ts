import { english } from '../catalogue'

export default english('templates', {
  'name-household': 'Household survey',
  'about-household': 'Members, housing, water, food and income, with consent first.',
  'name-facility': 'Health facility',
  'about-facility': 'Opening hours, staff, services, stock of medicines, power and cold chain.',
  'name-prices': 'Market prices',
  'about-prices': 'Prices by product and unit, worked out per kilogram.',
  'name-water': 'Water point',
  'about-water': 'Position, state, yield, quality, and who looks after it.',
  'name-attendance': 'Training attendance',
  'about-attendance': 'Who was there, with signatures, tests before and after, and counts.',
  'name-registration': 'Beneficiary registration',
  'about-registration': 'People and their families, with card, documents and consent.',
  'name-incident': 'Incident report',
  'about-incident': 'What happened, to whom, and what was done, with photos.',
  'name-trees': 'Tree inventory',
  'about-trees': 'A plot and its trees, with diameter, height and basal area.',
})
