from tests.contract.fixtures import contract, description

__all__ = ["contract", "description"]
