import { translation } from '../catalogue'
import type en from '../en/templates'

export default translation<typeof en>({
  'name-household': 'Inquérito aos agregados familiares',
  'about-household': 'Membros, habitação, água, alimentação e rendimentos, com consentimento primeiro.',
  'name-facility': 'Unidade de saúde',
  'about-facility': 'Horário, pessoal, serviços, medicamentos em stock, energia e cadeia de frio.',
  'name-prices': 'Preços de mercado',
  'about-prices': 'Preços por produto e unidade, calculados por quilograma.',
  'name-water': 'Ponto de água',
  'about-water': 'Posição, estado, caudal, qualidade e quem cuida dele.',
  'name-attendance': 'Presenças numa formação',
  'about-attendance': 'Quem esteve, com assinaturas, testes antes e depois, e totais.',
  'name-registration': 'Registo de beneficiários',
  'about-registration': 'As pessoas e as suas famílias, com cartão, documentos e consentimento.',
  'name-incident': 'Relatório de incidente',
  'about-incident': 'O que aconteceu, a quem e o que foi feito, com fotos.',
  'name-trees': 'Inventário de árvores',
  'about-trees': 'Uma parcela e as suas árvores: diâmetro, altura e área basal.',
})
