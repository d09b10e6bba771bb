import { isObject, jsonIn } from '../../../model/json.ts';
import type { Found, ProjectFolder } from './project-folder.ts';

/** Ruby and PHP. */
export async function scriptedFacts(place: ProjectFolder): Promise<readonly Found[]> {
  return [...(await rubyFacts(place)), ...(await phpFacts(place))];
}

async function rubyFacts(place: ProjectFolder): Promise<readonly Found[]> {
  const language = 'ruby';
  if (!place.has('Gemfile')) return [];
  const rake = place.has('Rakefile') ? ((await place.read('Rakefile')) ?? '') : '';
  const specs = ['.rspec', 'spec/spec_helper.rb'].find((path) => place.has(path));
  const facts: Found[] = [
    { kind: 'package-manager', value: 'Bundler', language, source: 'Gemfile' },
  ];
  if (specs !== undefined) {
    facts.push({ kind: 'test', value: 'bundle exec rspec', language, source: specs });
  }
  if (place.has('bin/rails') && place.below.some((path) => path.startsWith('test/'))) {
    facts.push({ kind: 'test', value: 'bin/rails test', language, source: 'bin/rails' });
  } else if (/Rake::TestTask|^\s*task\s+:?["']?test\b/m.test(rake)) {
    facts.push({ kind: 'test', value: 'bundle exec rake test', language, source: 'Rakefile' });
  }
  if (place.has('.rubocop.yml')) {
    facts.push({ kind: 'lint', value: 'bundle exec rubocop', language, source: '.rubocop.yml' });
  }
  return facts;
}

async function phpFacts(place: ProjectFolder): Promise<readonly Found[]> {
  const language = 'php';
  const source = 'composer.json';
  const manifest = place.has(source) ? jsonIn((await place.read(source)) ?? '') : undefined;
  if (!isObject(manifest)) return [];
  const scripts = isObject(manifest['scripts']) ? manifest['scripts'] : {};
  const phpunit = place.names.find((name) => /^phpunit(?:\.dist)?\.xml(?:\.dist)?$/.test(name));
  const phpstan = place.names.find((name) => /^phpstan(?:\.dist)?\.neon(?:\.dist)?$/.test(name));
  const facts: Found[] = [{ kind: 'package-manager', value: 'Composer', language, source }];
  if ('test' in scripts) facts.push({ kind: 'test', value: 'composer test', language, source });
  else if (phpunit !== undefined) {
    facts.push({ kind: 'test', value: 'vendor/bin/phpunit', language, source: phpunit });
  }
  if (phpstan !== undefined) {
    facts.push({ kind: 'lint', value: 'vendor/bin/phpstan analyse', language, source: phpstan });
  }
  return facts;
}
