import { translation } from '../catalogue'
import type en from '../en/templates'

export default translation<typeof en>({
  'name-household': 'Enquête auprès des ménages',
  'about-household': 'Membres, logement, eau, alimentation et revenus, après accord.',
  'name-facility': 'Établissement de santé',
  'about-facility': 'Horaires, personnel, services, stock de médicaments, électricité et chaîne du froid.',
  'name-prices': 'Prix du marché',
  'about-prices': 'Prix par produit et par unité, ramenés au kilogramme.',
  'name-water': 'Point d’eau',
  'about-water': 'Position, état, débit, qualité, et qui s’en occupe.',
  'name-attendance': 'Présence à une formation',
  'about-attendance': 'Qui était là, avec signatures, tests avant et après, et totaux.',
  'name-registration': 'Enregistrement des bénéficiaires',
  'about-registration': 'Les personnes et leurs familles, avec carte, pièces et accord.',
  'name-incident': 'Rapport d’incident',
  'about-incident': 'Ce qui s’est passé, à qui, et ce qui a été fait, avec photos.',
  'name-trees': 'Inventaire d’arbres',
  'about-trees': 'Une placette et ses arbres : diamètre, hauteur et surface terrière.',
})
