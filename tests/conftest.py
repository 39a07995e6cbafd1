pytest_plugins = ["tests.contract.fixtures", "tests.db.postgres", "tests.sandbox.page.windows"]
